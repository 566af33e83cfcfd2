import { describe, expect, it } from "vitest";
import { threadCpuMs } from "../../../runtime/thread-cpu.ts";
import { createScreen, type Screen } from "./screen.ts";

describe("a screen", () => {
  it("shows what a terminal would, without blanks at the ends", async () => {
    const screen = createScreen(20, 4);
    screen.feed(Buffer.from("one\r\n\u001b[31mtwo\u001b[0m\r\nthree\rTH\r\n$ "));
    expect(await screen.text()).toBe("one\ntwo\nTHree\n$");
    expect(await screen.cursorLine()).toBe("$ ");
    screen.feed(Buffer.from("\r\nfive\u001b[2J\u001b[H"));
    expect(await screen.text()).toBe("");
    screen.close();
  });

  it("shows the end of a flood, and is still on the other screen after it", async () => {
    const screen = createScreen(20, 4);
    screen.feed(Buffer.from("before\r\n\u001b[?1049h"));
    flood(screen, 40);
    expect(await screen.text()).toBe(`${"x".repeat(18)}\n`.repeat(3) + "last");
    screen.feed(Buffer.from("\u001b[?1049l"));
    expect(await screen.text()).not.toContain("last");
    screen.close();
  });

  it("costs no more CPU time to show after a large flood than after a small one", async () => {
    const screen = createScreen(20, 4);
    // The first look loads the terminal, and the next ones let it warm up.
    const cpuMs = async (pieces: number): Promise<number> => {
      flood(screen, pieces);
      const before = threadCpuMs();
      expect(await screen.text()).toContain("last");
      return threadCpuMs() - before;
    };
    for (let look = 0; look < 3; look++) await cpuMs(8);
    const small = await cpuMs(8);
    // Rendering all of it would cost a hundred times as much.
    expect(await cpuMs(800)).toBeLessThan(20 * Math.max(small, 5));
    screen.close();
  });
});

/** Pieces of 60 KB each; a few of them are more than a screen keeps. */
function flood(screen: Screen, pieces: number): void {
  const piece = Buffer.from(`${"x".repeat(18)}\r\n`.repeat(3000));
  for (let index = 0; index < pieces; index++) screen.feed(piece);
  screen.feed(Buffer.from("last"));
}
