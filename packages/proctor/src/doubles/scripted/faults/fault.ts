// What a scripted agent does wrong on the way to its client, from the words of a script or of `--fault`: those of a mock agent
// (../../agent/fault.ts), where a message is a frame, and those that only HTTP has.
import {
  FAULT_FORMS,
  malformedFault,
  numberIn,
  parseFault,
  unknownFault,
  type Fault,
} from "../../agent/fault.ts";

/** What goes wrong with an answer. Frames are counted from 1; an answer that is not a stream is one frame. */
export type HttpFault =
  /** The request is answered with this status, and the script is not played. */
  | { kind: "status"; status: number; retryAfterSeconds?: number }
  /** The first byte of the answer comes this much later. */
  | { kind: "slow"; delayMs: number }
  /** The answer has another `Content-Type`. */
  | { kind: "type"; contentType: string }
  /** The connection is cut in the middle of a frame. */
  | { kind: "tear"; message: number }
  /** The frame answers a request that was never made. */
  | { kind: "wrong-id"; message: number }
  /** An event of an unknown kind comes before the frame. */
  | { kind: "unknown"; message: number }
  /** The last frame is missing, and the answer ends as if nothing had happened. */
  | { kind: "no-end" }
  /** The frame is padded to this many bytes. */
  | { kind: "giant"; message: number; bytes: number }
  /** After this many frames the connection is neither written, read nor closed any more. */
  | { kind: "half-open"; after: number };

export type ScriptedFault = (Fault | HttpFault) & {
  /** Probability with which the fault happens to a request, from 0 to 1. */
  chance?: number;
  /** Number of requests of a test case, or of a script, that the fault happens to; all when absent. */
  times?: number;
};

const HTTP_FORMS: Record<HttpFault["kind"] | "unauthorized", string> = {
  status: "status:<code> or status:<code>:<retry after seconds>",
  unauthorized: "unauthorized or unauthorized:<times>",
  slow: "slow:<ms>",
  type: "type:<media type>",
  tear: "tear:<n>",
  "wrong-id": "wrong-id:<n>",
  unknown: "unknown:<n>",
  "no-end": "no-end",
  giant: "giant:<n> or giant:<n>:<bytes>",
  "half-open": "half-open:<n>",
};
export const SCRIPTED_FAULT_FORMS: Readonly<Record<string, string>> = { ...FAULT_FORMS, ...HTTP_FORMS };

const MAX_DELAY_MS = 3_600_000;
const MAX_SECONDS = 86_400;
const GIANT_BYTES = 16 * 1024 * 1024;
const MAX_GIANT_BYTES = 256 * 1024 * 1024;
const WHOLE = /^\d{1,9}$/;
const SUFFIXES = /^(.*?)(?:\*(\d{1,6}))?(?:@(\d{1,3}(?:\.\d+)?)%)?$/;

/** Reads `<fault>`, `<fault>*<times>` or `<fault>@<percent>%`. Throws USAGE. */
export function readFault(spec: string): ScriptedFault {
  const [, bare = "", times, percent] = SUFFIXES.exec(spec) ?? [];
  const chance = percent === undefined ? undefined : Number(percent) / 100;
  if (times === "0" || (chance !== undefined && chance > 1)) {
    throw malformedFault(spec, "<fault>*<times> or <fault>@<percent>%");
  }
  return {
    ...readBare(bare),
    ...(times !== undefined && { times: Number(times) }),
    ...(chance !== undefined && { chance }),
  };
}

function readBare(spec: string): ScriptedFault {
  const [word = "", ...values] = spec.split(":");
  if (Object.hasOwn(FAULT_FORMS, word)) return parseFault(spec);
  if (!Object.hasOwn(HTTP_FORMS, word)) throw unknownFault(word, SCRIPTED_FAULT_FORMS);
  // The line above checks the key.
  const kind = word as keyof typeof HTTP_FORMS;
  const fault = readHttp(kind, values);
  if (fault === undefined) throw malformedFault(spec, HTTP_FORMS[kind]);
  return fault;
}

function readHttp(kind: keyof typeof HTTP_FORMS, values: readonly string[]): ScriptedFault | undefined {
  const [first, second, ...more] = values;
  const number = numberIn(first, WHOLE, 1, Number.MAX_SAFE_INTEGER);
  const isSingle = values.length === 1;
  switch (kind) {
    case "status": {
      const status = numberIn(first, WHOLE, 400, 599);
      const seconds = numberIn(second, WHOLE, 0, MAX_SECONDS);
      if (status === undefined || more.length > 0 || (second !== undefined && seconds === undefined)) break;
      return { kind, status, ...(seconds !== undefined && { retryAfterSeconds: seconds }) };
    }
    case "unauthorized":
      if (values.length > 1 || (first !== undefined && number === undefined)) break;
      return { kind: "status", status: 401, times: number ?? 1 };
    case "slow": {
      const delayMs = numberIn(first, WHOLE, 0, MAX_DELAY_MS);
      return isSingle && delayMs !== undefined ? { kind, delayMs } : undefined;
    }
    case "type":
      if (!isSingle || first === undefined || !/^[\w.+-]+\/[\w.+-]+$/.test(first)) break;
      return { kind, contentType: first };
    case "no-end":
      return values.length === 0 ? { kind } : undefined;
    case "giant": {
      const bytes = second === undefined ? GIANT_BYTES : numberIn(second, WHOLE, 1, MAX_GIANT_BYTES);
      if (number === undefined || bytes === undefined || more.length > 0) break;
      return { kind, message: number, bytes };
    }
    case "half-open": {
      const after = numberIn(first, WHOLE, 0, Number.MAX_SAFE_INTEGER);
      return isSingle && after !== undefined ? { kind, after } : undefined;
    }
    case "tear":
    case "wrong-id":
    case "unknown":
      return isSingle && number !== undefined ? { kind, message: number } : undefined;
  }
  return undefined;
}
