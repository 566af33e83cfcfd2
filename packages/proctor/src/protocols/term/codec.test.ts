import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { threadCpuMs } from "../../runtime/thread-cpu.ts";
import { createRequestEncoder, decodeAnswer } from "./codec.ts";
import { firstObject } from "./first-object.ts";

describe("an answer of a terminal agent", () => {
  it("has a default for every field (Response Fields)", () => {
    expect(decodeAnswer("{}")).toEqual({
      ok: true,
      answer: { action: { kind: "none" }, complete: false },
      violations: [],
    });
  });

  it("is used as far as it can be understood", () => {
    expect(decodeAnswer('{"command":"ls","task_complete":null,"text":5}')).toEqual({
      ok: true,
      answer: { action: { kind: "command", command: "ls" }, complete: false, rest: { text: 5 } },
      violations: [
        expect.objectContaining({ rule: "term.schema", where: "response.task_complete" }),
        expect.objectContaining({ rule: "term.schema", where: "response.text" }),
      ],
    });
  });

  it("asks for nothing with a blank command", () => {
    expect(decodeAnswer('{"command":" \\n"}')).toMatchObject({ answer: { action: { kind: "none" } } });
  });

  it("keeps what nobody knows, whatever it is called", () => {
    const line = '{"command":"ls","__proto__":{"x":1},"constructor":2,"data":null}';
    const decoded = decodeAnswer(line);
    expect(decoded.ok && JSON.stringify(decoded.answer.rest)).toBe(
      '{"__proto__":{"x":1},"constructor":2,"data":null}',
    );
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });

  it.each([
    [undefined, 1],
    [0, 0.1],
    [-5, 0.1],
    [0.05, 0.1],
    [2.5, 2.5],
    [600, 60],
    [null, 1],
  ])("of the legacy format with duration %s waits at most %s s", (duration, seconds) => {
    const line = JSON.stringify({ commands: [{ keystrokes: "x", duration }] });
    expect(decodeAnswer(line)).toMatchObject({
      answer: { action: { kind: "keys", keys: [{ keystrokes: "x", seconds }] } },
      violations: [],
    });
  });

  it("of the legacy format with a duration that is no number waits as usual", () => {
    expect(decodeAnswer('{"commands":[{"keystrokes":"x","duration":"2"}]}')).toMatchObject({
      answer: { action: { keys: [{ seconds: 1 }] } },
      violations: [{ rule: "term.schema", where: "response.commands.0.duration" }],
    });
  });

  it("never throws, and asks for nothing but what it says", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.boolean(), (line, lenient) => {
        const decoded = decodeAnswer(line, lenient);
        if (decoded.ok && decoded.answer.action.kind === "command") {
          expect(line).toContain("command");
        }
      }),
    );
  });
});

describe("the first object in a line", () => {
  it.each([
    ['Sure! {"a": "}{"} ok', { a: "}{" }],
    ['{not json} {"b": 1}', { b: 1 }],
    ['{"a": "\\"}"}', { a: '"}' }],
    ["```json", undefined],
    ["{{{{{", undefined],
    ['["{"]', undefined],
  ])("is found, or not, in: %s", (line, object) => {
    expect(firstObject(line)).toEqual(object);
  });

  it("is looked for in linear time", () => {
    const cpuMs = (characters: number): number => {
      const text = "{".repeat(characters);
      const before = threadCpuMs();
      expect(firstObject(text)).toBeUndefined();
      return threadCpuMs() - before;
    };
    const small = cpuMs(1_000_000);
    // Ten times the text at the cost of a hundred times would be quadratic.
    expect(cpuMs(10_000_000)).toBeLessThan(50 * Math.max(small, 5));
  });
});

/** What breaks readers of lines and of JSON. */
const nasty = fc
  .array(fc.constantFrom("a", " ", "\n", "\r", "\u2028", "\u2029", '"', "\\", "\ud800", "😀", "\0", "é"))
  .map((characters) => characters.join(""));

describe("a request to a terminal agent", () => {
  it("is one line of JSON with nothing lost, whatever the texts hold", () => {
    fc.assert(
      fc.property(nasty, nasty, fc.string(), (instruction, output, command) => {
        const step = { step: 2, last_command: command, output, exit_code: 0, cwd: "/app" };
        const line = createRequestEncoder(instruction)(step);
        expect(line).not.toMatch(/[\n\r\u2028\u2029]/);
        expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify({ instruction, ...step })));
      }),
    );
  });

  it("escapes the separators at which readers of lines may break", () => {
    const line = createRequestEncoder("a\u2028b")({
      step: 1,
      last_command: null,
      output: "c\u2029",
      exit_code: null,
      cwd: "/",
    });
    expect(line).toBe(
      '{"instruction":"a\\u2028b","step":1,"last_command":null,"output":"c\\u2029","exit_code":null,"cwd":"/"}',
    );
  });
});
