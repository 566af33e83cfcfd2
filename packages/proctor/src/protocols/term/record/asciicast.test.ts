import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAsciicast, type Asciicast } from "./asciicast.ts";
import { parseAsciicast } from "../../../../test/support/term/parse-asciicast.ts";

function create(maxBytes?: number): { cast: Asciicast; pass: (ms: number) => void } {
  let time = 1000;
  const cast = createAsciicast({
    columns: 160,
    rows: 40,
    title: 'say "hi"',
    startedAt: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
    now: () => time,
    ...(maxBytes !== undefined && { maxBytes }),
  });
  return { cast, pass: (ms) => (time += ms) };
}

describe("the recording of a terminal", () => {
  it("is an asciicast v2 file, with times as they were", () => {
    const { cast, pass } = create();
    cast.command("/app", "echo a\necho b");
    pass(1500);
    cast.output(Buffer.from("a\nb\n"));
    pass(250);
    cast.command("/app/x", "true");
    const { header, events } = parseAsciicast(cast.finish());
    expect(header).toEqual({
      version: 2,
      width: 160,
      height: 40,
      timestamp: Date.UTC(2026, 0, 2, 3, 4, 5) / 1000,
      title: 'say "hi"',
      env: { SHELL: "/bin/bash", TERM: "xterm-256color" },
    });
    expect(events).toEqual([
      [0, "o", "\u001b[1m/app$\u001b[0m echo a\r\necho b\r\n"],
      [1.5, "o", "a\r\nb\r\n"],
      [1.75, "o", "\u001b[1m/app/x$\u001b[0m true\r\n"],
    ]);
  });

  it("marks where each step begins, by its number", () => {
    const { cast, pass } = create();
    for (const command of ["first", "second"]) {
      cast.step();
      cast.command("/", command);
      pass(500);
    }
    const marks = parseAsciicast(cast.finish()).events.filter(([, code]) => code === "m");
    expect(marks).toEqual([
      [0, "m", "Step 1"],
      [0.5, "m", "Step 2"],
    ]);
  });

  it("begins each prompt on a line of its own, and keeps what a screen was sent as it was", () => {
    const { cast } = create();
    cast.command("/", "printf x");
    cast.output(Buffer.from("x"));
    cast.command("/", "true");
    cast.raw(Buffer.from("\u001b[2Ja\nb"));
    const texts = parseAsciicast(cast.finish()).events.map(([, , text]) => text);
    expect(texts).toEqual([
      "\u001b[1m/$\u001b[0m printf x\r\n",
      "x",
      "\r\n\u001b[1m/$\u001b[0m true\r\n",
      "\u001b[2Ja\nb",
    ]);
  });

  it("joins characters that came in pieces, and shows invalid bytes as U+FFFD", () => {
    const bytes = Buffer.from("ü€😀x");
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 5 }), (cuts) => {
        const { cast } = create();
        const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        for (let index = 1; index < places.length; index++)
          cast.raw(bytes.subarray(places[index - 1], places[index]));
        const { events } = parseAsciicast(cast.finish());
        expect(events.map(([, , text]) => text).join("")).toBe("ü€😀x");
      }),
    );
    const { cast } = create();
    cast.output(Buffer.of(0xff, 0x61, 0xe2));
    expect(
      parseAsciicast(cast.finish())
        .events.map(([, , text]) => text)
        .join(""),
    ).toBe("\ufffda\ufffd");
  });

  it("ends when it is full, and says so, and is a valid file even then", () => {
    const { cast } = create(2000);
    for (let index = 0; index < 100; index++) cast.text(`line ${index} ${"x".repeat(50)}\n`);
    const file = cast.finish();
    expect(file?.length).toBeLessThanOrEqual(2000);
    const { events } = parseAsciicast(file);
    expect(events.at(-1)?.[2]).toContain("the recording ends here");
    expect(events.length).toBeGreaterThan(5);
  });

  it("is left out when nothing happened", () => {
    expect(create().cast.finish()).toBeUndefined();
  });
});
