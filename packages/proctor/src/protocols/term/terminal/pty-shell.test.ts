import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCaseTerminal, type CaseTerminal } from "../../../../test/support/term/terminal.ts";
import { createAsciicast } from "../record/asciicast.ts";
import { createPtyShell, SCREEN, type PtyShell } from "./pty-shell.ts";

/** Days: whatever ends before this was not ended by time. */
const seconds = 1_000_000;
const never = new AbortController().signal;

let terminal: CaseTerminal;
let shell: PtyShell;
beforeEach(async () => {
  terminal = await openCaseTerminal();
  shell = createPtyShell({
    environment: terminal.environment,
    recording: createAsciicast({ ...SCREEN, title: "x", startedAt: 0, now: () => performance.now() }),
    commandMs: seconds * 1000,
    excerptBytes: 10_000,
  });
});
afterEach(() => terminal.close());

describe("a shell with a screen", () => {
  it("stops waiting when its prompt is back", async () => {
    const { workdir } = terminal;
    const { output, exitCode } = await shell.run(
      [{ keystrokes: "sleep 0.2; echo done\n", seconds }],
      never,
      workdir,
    );
    expect(output).toMatch(/done\n.*[$#]$/);
    expect(exitCode).toBe(0);
  });

  it("stops waiting when a program asks for input", async () => {
    const { workdir } = terminal;
    const asked = await shell.run([{ keystrokes: "read -p 'Name: ' name\n", seconds }], never, workdir);
    expect(asked).toMatchObject({ output: expect.stringMatching(/Name:$/) as string, exitCode: null });
    const answered = await shell.run([{ keystrokes: "Ada\n", seconds }], never, workdir);
    expect(answered.exitCode).toBe(0);
  });
});
