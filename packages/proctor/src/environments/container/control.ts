// One small shell that stays in each container and sends signals there. It is opened beforehand and starts no processes of its own, so it
// also works in a container that may start no more. What it is told is one line; it answers with the line's number.
import type { Duplex } from "node:stream";
import type Docker from "dockerode";
import { demultiplex } from "./demultiplex.ts";
import { openOutlet } from "./outlet.ts";
import { readProgram } from "../../runtime/files/read-program.ts";

export interface Control {
  /** Opens the shell in advance; a failure is retried when the shell is needed. */
  open(): Promise<void>;
  /** Resolves when the signal was sent, or when no process is left to receive it. */
  signal(request: SignalRequest): Promise<void>;
  close(): void;
}

interface SignalRequest {
  name: NodeJS.Signals;
  /** The program's process id inside the container. */
  root: number;
  /** Signals only what the program started within this many milliseconds, and not the program itself. */
  childrenOf?: number;
}

const PATIENCE_MS = 5000;

export function openControl(container: Docker.Container): Control {
  let closed = false;
  let number = 0;
  let shell: Promise<ControlShell> | undefined;

  function launch(): Promise<ControlShell> {
    const own = startShell(container, () => {
      if (shell === own) shell = undefined;
    });
    own.catch(() => {
      if (shell === own) shell = undefined;
    });
    return own;
  }

  async function send(line: string): Promise<boolean> {
    try {
      return await (await (shell ??= launch())).ask(++number, line);
    } catch {
      return false;
    }
  }

  return {
    async open() {
      await (shell ??= launch()).catch(() => undefined);
    },
    async signal({ name, root, childrenOf }) {
      const age =
        childrenOf === undefined
          ? "-"
          : Number.isFinite(childrenOf)
            ? String(Math.ceil(childrenOf / 10))
            : "+";
      const line = `${name.replace(/^SIG/, "")} ${root} ${age}`;
      // Programs inside can end the shell, so a failure is retried once with a new one.
      if (!closed && !(await send(line)) && !closed) await send(line);
    },
    close() {
      closed = true;
      void shell?.then(
        ({ stream }) => stream.destroy(),
        () => undefined,
      );
    },
  };
}

interface ControlShell {
  stream: Duplex;
  /** Sends a line and resolves with whether the shell answered. */
  ask(number: number, line: string): Promise<boolean>;
}

async function startShell(container: Docker.Container, gone: () => void): Promise<ControlShell> {
  const exec = await container.exec({
    Cmd: ["/bin/sh", "-c", readProgram("./control.sh", import.meta.url)],
    User: "0",
    WorkingDir: "/",
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
  });
  const stream: Duplex = await exec.start({ hijack: true, stdin: true });
  const waiting = new Map<string, (answered: boolean) => void>();
  let text = "";
  const answers = {
    push(piece: Uint8Array) {
      const lines = (text + Buffer.from(piece).toString("latin1")).split("\n");
      // Only the shell writes here, but no output from inside may grow without limit.
      text = (lines.pop() ?? "").slice(-64);
      for (const line of lines) waiting.get(line)?.(true);
      return true;
    },
    ready: () => true,
  };
  const ignored = openOutlet(() => undefined);
  ignored.stream.resume();
  void demultiplex(stream, answers, ignored).then(() => {
    gone();
    for (const answer of waiting.values()) answer(false);
  });
  stream.on("error", () => undefined);
  return {
    stream,
    ask(number, line) {
      let timer: NodeJS.Timeout | undefined;
      const answered = new Promise<boolean>((resolve) => {
        timer = setTimeout(resolve, PATIENCE_MS, false);
        waiting.set(String(number), resolve);
        if (stream.writable) stream.write(`${number} ${line}\n`);
        else resolve(false);
      });
      return answered.finally(() => {
        clearTimeout(timer);
        waiting.delete(String(number));
      });
    },
  };
}
