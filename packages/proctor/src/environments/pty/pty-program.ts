// A program of its own that holds one terminal. In the hub itself every process that is started while a terminal is open would inherit
// it, sandboxed ones too: the library that makes terminals does not prevent that. Ends when the program in the terminal does, or the hub.
import { messageOf } from "../../core/message-of.ts";
import { Socket } from "node:net";
import type { PtyReport, PtyRequest, PtyResize } from "./control.ts";
import { readLines } from "./control.ts";
import { forkPty, resizePty } from "./native.ts";
import type { NativePty } from "./native.ts";
import { createPtyReader } from "./reader.ts";
import { writePty } from "./writer.ts";

const control = new Socket({ fd: 3 });
let terminal: NativePty | undefined;
let isOver = false;

const report = (said: PtyReport): boolean => control.write(`${JSON.stringify(said)}\n`);

function begin(request: PtyRequest): void {
  terminal = forkPty({
    ...request,
    onExit(code, signal) {
      isOver = true;
      report({ code: signal > 0 ? 128 + signal : code });
      reader.finish();
    },
  });
  const reader = createPtyReader(terminal);
  report({ pid: terminal.pid });
  void type(terminal);
  void show(reader.output);
}

async function type({ fd }: NativePty): Promise<void> {
  let typed = 0;
  for await (const chunk of process.stdin) {
    const bytes = chunk as Uint8Array;
    if (!(await writePty(fd, bytes, () => !isOver))) return;
    typed += bytes.length;
    report({ typed });
  }
}

async function show(output: AsyncIterable<Uint8Array>): Promise<void> {
  let isRead = true;
  process.stdout.on("error", () => (isRead = false));
  for await (const piece of output) {
    // Without a reader the program goes on.
    if (!isRead || process.stdout.write(piece)) continue;
    await new Promise<void>((resolve) =>
      process.stdout.once("drain", resolve).once("error", () => resolve()),
    );
  }
  // Everything that was shown is sent before this process ends.
  process.stdout.end(() => process.exit());
  if (!isRead) process.exit();
}

function endWithHub(): void {
  try {
    if (terminal !== undefined && !isOver) process.kill(-terminal.pid, "SIGKILL");
  } finally {
    process.exit();
  }
}

process.on("SIGHUP", () => undefined);
control.on("error", endWithHub).on("close", endWithHub);
readLines(control, (line) => {
  // Written by open-pty.ts.
  const said = JSON.parse(line) as PtyRequest | PtyResize;
  try {
    if ("file" in said) begin(said);
    else if (terminal !== undefined && !isOver) resizePty(terminal.fd, said.columns, said.rows);
  } catch (error) {
    report({ error: messageOf(error) });
  }
});
