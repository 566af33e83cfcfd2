// The built program in a real terminal, with agents that talk (fixtures/talking-start.mjs).
import { fileURLToPath } from "node:url";
import { openPty } from "../../../src/environments/pty/open-pty.ts";
import { eventually } from "../eventually.ts";
import { runProgram, type Ended } from "../program.ts";

/** The built program with a protocol more. */
export const TALKING_START = [fileURLToPath(new URL("../../fixtures/talking-start.mjs", import.meta.url))];

export interface TerminalProgram {
  /** Everything that was shown so far, as it came. */
  shown(): string;
  /** Resolves when the terminal has shown this, after what was waited for before. */
  until(text: string): Promise<void>;
  type(keys: string): void;
  /** Resolves to the exit code. */
  ended: Promise<number | null>;
  close(): Promise<void>;
}

export async function startInTerminal(args: readonly string[], folder: string): Promise<TerminalProgram> {
  const command = [process.execPath, ...TALKING_START, ...args];
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, NO_COLOR: "1", USER: "ada" };
  const pty = await openPty({ command, env, cwd: folder }, { columns: 100, rows: 40 });
  let shown = "";
  let seen = 0;
  const decoder = new TextDecoder();
  const read = (async () => {
    for await (const piece of pty.output) shown += decoder.decode(piece, { stream: true });
  })();
  return {
    shown: () => shown,
    async until(text) {
      await eventually(() => {
        const at = shown.indexOf(text, seen);
        if (at === -1) throw new Error(`the terminal does not show ${JSON.stringify(text)}:\n${shown}`);
        seen = at + text.length;
      });
    },
    type: (keys) => void pty.write(keys),
    ended: pty.exited.then(async ({ code }) => {
      await read;
      return code;
    }),
    close: () => pty.close(),
  };
}

/** The same program in a pipe. */
export function runInPipe(args: readonly string[], folder: string): Promise<Ended> {
  return runProgram(args, { folder, env: { USER: "ada" }, start: TALKING_START });
}
