import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRecording } from "./parse-recording.ts";

const header = {
  proctor_recording: 1,
  protocol: "atp",
  transport: "stdio",
  agent: "writer",
  task: { description: "d" },
  recorded_at: "2026-01-02T03:04:05Z",
  run_id: "r",
};
const message = { at_ms: 1, direction: "received", channel: "stdout", text: "hé ☃" };
const call = { at_ms: 2, tool: "t", input: { q: 1 }, output: null, status: "success" };
const end = { end: { status: "completed", exit_code: 0 } };
const text = (...documents: object[]): string =>
  documents.map((document) => `${JSON.stringify(document)}\n`).join("");

describe("the file of a recording", () => {
  it("is its header, its entries and its end", () => {
    expect(parseRecording(text(header, message, call, end), "f")).toEqual({
      header,
      entries: [message, call],
      end: end.end,
    });
  });

  it("can be read wherever it was cut off behind its header", () => {
    const whole = text(header, message, call, end);
    const least = text(header).length - 1;
    fc.assert(
      fc.property(fc.integer({ min: least, max: whole.length - 2 }), (at) => {
        const { entries, end: ending } = parseRecording(whole.slice(0, at), "f");
        expect([message, call].slice(0, entries.length)).toEqual(entries);
        expect(ending).toBeUndefined();
      }),
    );
    expect(parseRecording(whole.slice(0, -1), "f").end).toEqual(end.end);
  });

  it.each<[string, string, RegExp]>([
    ["nothing", "", /^f:1 {2}the file is empty/],
    ["no JSON", "secret words\n", /^f:1 {2}this line is not a JSON object/],
    ["another document", text({ a: 1 }), /^f:1 {2}this is no recording/],
    ["another version", text({ ...header, proctor_recording: 2 }), /^f:1 {2}this version of the format/],
    ["a missing field", text(header, { ...message, text: undefined }), /^f:2 {2}"text" is missing/],
    ["a wrong field", text(header, { ...message, at_ms: -1 }), /^f:2 {2}"at_ms" is not valid/],
    ["a misspelt field", text(header, { ...message, naem: "x" }), /^f:2 {2}a key is not known.*\n.*"name"\?/],
    ["a broken line", `${text(header)}{"at_ms"\n${text(message)}`, /^f:2 {2}this line is not/],
    ["a line behind the end", text(header, end, message), /^f:3 {2}there is something behind the end/],
    ["an end of its own", text(header, { end: { status: "splendid" } }), /^f:2 {2}"status" is not valid/],
    ["nesting without end", `${"[".repeat(100_000)}\n`, /^f:1 {2}this line is not/],
  ])("that is %s is refused with its line", (_what, content, problem) => {
    expect(() => parseRecording(content, "f")).toThrow(problem);
  });

  it("never repeats what a file holds that is something else", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 12 }), (content) => {
        try {
          parseRecording(`${content}\n`, "f");
        } catch (error) {
          expect(String(error)).not.toContain(content);
        }
      }),
    );
  });
});
