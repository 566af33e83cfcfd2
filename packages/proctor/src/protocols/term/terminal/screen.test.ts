import { describe, expect, it } from "vitest";
import { threadCpuMs } from "../../../runtime/thread-cpu.ts";
import { createScreen } from "./screen.ts";

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
    const flood = Buffer.from(`${"x".repeat(18)}\r\n`.repeat(3000));
    for (let index = 0; index < 40; index++) screen.feed(Buffer.from(flood));
    screen.feed(Buffer.from("last"));
    const before = threadCpuMs();
    expect(await screen.text()).toBe(`${"x".repeat(18)}\n`.repeat(3) + "last");
    // All 2.4 million characters would cost many times that.
    expect(threadCpuMs() - before).toBeLessThan(1500);
    screen.feed(Buffer.from("\u001b[?1049l"));
    expect(await screen.text()).not.toContain("last");
    screen.close();
  });
});
