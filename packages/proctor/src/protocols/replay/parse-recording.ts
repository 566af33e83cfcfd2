// A recording from the text of its file. The file is ours, so whatever is wrong in it is said with its line; what a line
// holds is never repeated, because the file may be something else altogether.
import { ProctorError } from "../../core/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { isAmount } from "../../core/metrics.ts";
import { parseObject } from "../../core/parse-object.ts";
import type { Recording, RecordingEnd, RecordingEntry, RecordingHeader } from "../../core/recording.ts";
import { TERMINAL_STATUSES } from "../../core/run.ts";
import { suggest } from "../../core/suggest.ts";

/** Throws FILE_UNREADABLE. An unfinished last line is ignored. */
export function parseRecording(text: string, file: string): Recording {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  // A program that was interrupted while writing leaves half a line.
  if (last !== "" && (lines.length === 0 || parseObject(last) !== undefined)) lines.push(last);
  const refuse = (line: number, what: string, next = SEE): ProctorError =>
    new ProctorError("FILE_UNREADABLE", `${file}:${line}  ${what}\n${next}`);
  let header: RecordingHeader | undefined;
  let end: RecordingEnd | undefined;
  const entries: RecordingEntry[] = [];
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    const document = parseObject(line);
    if (document === undefined) throw refuse(number, "this line is not a JSON object");
    if (end !== undefined) throw refuse(number, "there is something behind the end of the recording");
    const kind = kindOf(document, header === undefined);
    const [problem, next] = problemIn(document, kind);
    if (problem !== undefined) throw refuse(number, problem, next);
    // Held to its shape right above.
    if (kind === "header") header = document as RecordingHeader;
    else if (kind === "end") end = document["end"] as RecordingEnd;
    else entries.push(document as RecordingEntry);
  }
  if (header === undefined) throw refuse(1, "the file is empty");
  return end === undefined ? { header, entries } : { header, entries, end };
}

const SEE = "a recording is written by: proctor run --record <file>";

type Kind = "header" | "message" | "call" | "end";

function kindOf(document: JsonObject, first: boolean): Kind {
  if (first) return "header";
  if ("end" in document) return "end";
  return "tool" in document ? "call" : "message";
}

type Test = (value: Json | undefined) => boolean;

const isText: Test = (value) => typeof value === "string";
const isWhole: Test = (value) => typeof value === "number" && Number.isSafeInteger(value);
const isTask: Test = (value) => isJsonObject(value) && typeof value["description"] === "string";
const isFailure: Test = (value) => isJsonObject(value) && isText(value["code"]) && isText(value["message"]);
const isOneOf =
  (...words: readonly string[]): Test =>
  (value) =>
    typeof value === "string" && words.includes(value);
const anything: Test = (value) => value !== undefined;

interface Shape {
  needed: Record<string, Test>;
  optional: Record<string, Test>;
}

const SHAPES: Record<Kind | "ending", Shape> = {
  header: {
    needed: {
      proctor_recording: (value) => value === 1,
      protocol: isText,
      transport: isText,
      agent: isText,
      task: isTask,
      recorded_at: isText,
      run_id: isText,
    },
    optional: { key: isText, run_number: isWhole, test_id: isText },
  },
  message: {
    needed: { at_ms: isAmount, direction: isOneOf("sent", "received"), channel: isText, text: isText },
    optional: {
      name: isText,
      id: isText,
      encoding: isOneOf("lossy"),
      status: isWhole,
      content_type: isText,
      dropped_bytes: isAmount,
    },
  },
  call: {
    needed: { at_ms: isAmount, tool: isText, input: anything, output: anything, status: isText },
    optional: { call_id: isText },
  },
  end: { needed: { end: isJsonObject }, optional: {} },
  ending: {
    needed: { status: isOneOf(...TERMINAL_STATUSES) },
    optional: { failure: isFailure, exit_code: isWhole, signal: isText, leftover: isAmount },
  },
};

/** Returns what is wrong with a document, and what to do about it. */
function problemIn(document: JsonObject, kind: Kind | "ending"): [problem?: string, next?: string] {
  const { needed, optional } = SHAPES[kind];
  if (kind === "header" && !("proctor_recording" in document)) {
    return ['this is no recording: its first line has no "proctor_recording"'];
  }
  for (const [name, test] of Object.entries(needed)) {
    if (!Object.hasOwn(document, name)) return [`"${name}" is missing`];
    if (test(document[name])) continue;
    return name === "proctor_recording"
      ? ["this version of the format is not known", "it was written by another version of Proctor"]
      : [`"${name}" is not valid`];
  }
  const known = [...Object.keys(needed), ...Object.keys(optional)];
  for (const [name, value] of Object.entries(document)) {
    if (!known.includes(name)) {
      const near = suggest(name, known);
      return near === undefined
        ? ["a key is not known here"]
        : ["a key is not known here", `did you mean "${near}"?`];
    }
    if (optional[name]?.(value) === false) return [`"${name}" is not valid`];
  }
  return kind === "end" ? problemIn(document["end"] as JsonObject, "ending") : [];
}
