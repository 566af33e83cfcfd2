import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPromptWatch } from "./prompt.ts";

const mark = (code: number, cwd: string, token = "abc123"): string =>
  `\u001b]133;D;${code};${token};${cwd}\u0007`;

describe("the mark of a shell's prompt", () => {
  it("has the exit code and the directory, and holds until a line begins", () => {
    const watch = createPromptWatch("abc123");
    watch.push(Buffer.from(`hello\r\n${mark(7, "/a/ü b")}root@x:~# `));
    expect({ ...watch }).toMatchObject({ count: 1, atPrompt: true, exitCode: 7, cwd: "/a/ü b" });
    watch.push(Buffer.from("sleep 1"));
    expect(watch.atPrompt).toBe(true);
    watch.push(Buffer.from("\r\n"));
    expect(watch.atPrompt).toBe(false);
  });

  it("is not what a program prints that does not know the token", () => {
    const watch = createPromptWatch("abc123");
    watch.push(Buffer.from(`${mark(0, "/", "fff")}\u001b]133;D;0\u0007\u001b]133;D;x;abc123;/\u0007`));
    expect(watch.count).toBe(0);
  });

  it("is the same wherever the stream is cut", () => {
    const text = Buffer.from(
      `a\n${mark(1, "/x")}$ ls\r\nb\u001b[1m\u001b]133;A\u0007c\r\n${mark(2, "/ÿ")}$ \u001b]133;`,
    );
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
        const watch = createPromptWatch("abc123");
        const places = [0, ...cuts.sort((a, b) => a - b), text.length];
        for (let index = 1; index < places.length; index++)
          watch.push(text.subarray(places[index - 1], places[index]));
        expect({ ...watch }).toMatchObject({ count: 2, atPrompt: true, exitCode: 2, cwd: "/ÿ" });
      }),
    );
  });

  it("is not waited for without end", () => {
    const watch = createPromptWatch("abc123");
    watch.push(Buffer.from("\u001b]133;D;"));
    for (let index = 0; index < 100; index++) watch.push(Buffer.alloc(1000, 120));
    watch.push(Buffer.from(mark(0, "/")));
    expect(watch.count).toBe(1);
  });
});
