import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Environment } from "../../../core/ports/environments.ts";
import { eventually } from "../../../../test/support/eventually.ts";
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
  shell = shellIn(terminal.environment);
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

  it("does not take a busy machine for a question while some of what was typed is still on its way", async () => {
    const { workdir, environment } = terminal;
    const busy = heldBack(environment);
    let settled = false;
    const asked = [{ keystrokes: "read -p 'Name: ' name\n", seconds }];
    const running = shellIn(busy.environment)
      .run(asked, never, workdir)
      .finally(() => (settled = true));
    await busy.shows("Name: ");
    // Another shell has been silent for as long as a question takes to be seen.
    await shell.run(asked, never, workdir);
    expect(settled).toBe(false);
    busy.take();
    expect(await running).toMatchObject({ output: expect.stringMatching(/Name:$/) as string });
  });
});

function shellIn(environment: Environment): PtyShell {
  return createPtyShell({
    environment,
    recording: createAsciicast({ ...SCREEN, title: "x", startedAt: 0, now: () => performance.now() }),
    commandMs: seconds * 1000,
    excerptBytes: 10_000,
  });
}

/** An environment whose terminals do not say that they have taken what was typed until `take` is called. */
function heldBack(environment: Environment): {
  environment: Environment;
  shows(text: string): Promise<void>;
  take(): void;
} {
  let shown = "";
  let take = (): void => undefined;
  const taken = new Promise<void>((resolve) => (take = resolve));
  return {
    environment: {
      ...environment,
      async openPty(options) {
        const pty = await environment.openPty(options);
        return {
          ...pty,
          output: watched(pty.output, (text) => (shown += text)),
          write: (keys) => Promise.all([pty.write(keys), taken]).then(() => undefined),
        };
      },
    },
    shows: (text) => eventually(() => expect(shown).toContain(text)),
    take: () => take(),
  };
}

async function* watched(
  pieces: AsyncIterable<Uint8Array>,
  see: (text: string) => void,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    see(Buffer.from(piece).toString());
    yield piece;
  }
}
