// The input of a process. Writing never fails loudly: the answer says whether the bytes got through.
import type { Writable } from "node:stream";

interface InputWriter {
  /** Resolves with true when the pipe took all of it, with false when the process no longer reads. */
  write(data: string | Uint8Array): Promise<boolean>;
  end(): void;
  /** Drops what is still waiting to be read. */
  destroy(): void;
}

export function writeInput(pipe: Writable): InputWriter {
  const waiting = new Set<(accepted: boolean) => void>();

  function refuseAll(): void {
    for (const answer of waiting) answer(false);
    waiting.clear();
  }

  // A process may close its input or end; each write tells its own caller.
  pipe.on("error", refuseAll);
  // Whatever becomes of the callbacks below, nobody waits for a closed pipe.
  pipe.once("close", refuseAll);

  return {
    write(data) {
      if (!pipe.writable) return Promise.resolve(false);
      return new Promise((resolve) => {
        waiting.add(resolve);
        pipe.write(data, (error) => {
          waiting.delete(resolve);
          resolve(!error && !pipe.destroyed);
        });
      });
    },
    end() {
      pipe.end();
    },
    destroy() {
      pipe.destroy();
    },
  };
}
