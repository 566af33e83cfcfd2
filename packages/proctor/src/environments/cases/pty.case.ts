// Terminals: what is typed, what is shown, and that nothing stays.
import { expect, it } from "vitest";
import type { Environment, Pty, PtyOptions } from "../../core/ports/environments.ts";
import { gone, uniqueSeconds } from "../../../test/support/environments/running.ts";

const SHELL = ["bash", "--noprofile", "--norc"];

export function ptyCases(use: () => Environment): void {
  async function open(options: PtyOptions = {}): Promise<{ pty: Pty; screen: Screen }> {
    const pty = await use().openPty({ command: SHELL, ...options });
    return { pty, screen: readScreen(pty) };
  }

  it("shows what is typed and the output of it", async () => {
    const { pty, screen } = await open({ env: { GIVEN: "yes" } });
    await pty.write("echo a$((20 + 3))b $GIVEN; pwd\r");
    await screen.shows(/echo a\$\(\(20/);
    await screen.shows(/a23b yes/);
    await screen.shows(new RegExp(use().workdir));
    await pty.write("exit 4\r");
    expect(await pty.exited).toEqual({ code: 4 });
    await screen.over;
  });

  it("has the size it is given, and the one it is given later", async () => {
    const { pty, screen } = await open({ columns: 101, rows: 31 });
    await pty.write("stty size\r");
    await screen.shows(/31 101/);
    pty.resize(77, 22);
    await pty.write("stty size\r");
    await screen.shows(/22 77/);
    await pty.close();
  });

  it("interrupts with Ctrl-C", async () => {
    const { pty, screen } = await open();
    await pty.write("sh -c 'echo st\"\"arted; exec sleep 1000'\r");
    await screen.shows(/started/);
    await pty.write("\u0003");
    await pty.write("echo code=$?.\r");
    await screen.shows(/code=130\./);
    await pty.close();
  });

  it("is a terminal, and takes bytes", async () => {
    const { pty, screen } = await open();
    await pty.write(Buffer.from('test -t 0 && test -t 1 && echo "term""inal é"\r'));
    await screen.shows(/terminal é/);
    await pty.close();
  });

  it("shows all of a long output", async () => {
    const { pty, screen } = await open({
      command: ["sh", "-c", "stty -onlcr; head -c 300000 /dev/zero | tr '\\0' x; echo end"],
    });
    await screen.over;
    expect(screen.text().replaceAll("\r", "")).toBe(`${"x".repeat(300_000)}end\n`);
    expect((await pty.exited).code).toBe(0);
  });

  it("says why the program could not be started", async () => {
    const { pty, screen } = await open({ command: ["no-such-program-here"] });
    expect((await pty.exited).code).toBeGreaterThan(0);
    await screen.over;
    expect(screen.text()).toContain("no-such-program-here");
  });

  it("leaves nothing when it is closed, in the middle of anything", async () => {
    const { pty, screen } = await open();
    const seconds = uniqueSeconds();
    await pty.write(`trap '' HUP; sleep ${seconds} & (trap '' HUP; echo u""p; exec sleep ${seconds})\r`);
    await screen.shows(/up/);
    await pty.close();
    await pty.close();
    await gone(seconds);
    await screen.over;
  });
}

interface Screen {
  text(): string;
  shows(pattern: RegExp): Promise<void>;
  /** Resolves when the output has ended. */
  over: Promise<void>;
}

function readScreen(pty: Pty): Screen {
  const decoder = new TextDecoder();
  let text = "";
  let ended = false;
  let wake = (): void => undefined;
  const over = (async () => {
    for await (const piece of pty.output) {
      text += decoder.decode(piece, { stream: true });
      wake();
    }
    ended = true;
    wake();
  })();
  return {
    text: () => text,
    over,
    async shows(pattern) {
      while (!pattern.test(text)) {
        if (ended)
          throw new Error(`the terminal ended without ${pattern}: ${JSON.stringify(text.slice(-2000))}`);
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
