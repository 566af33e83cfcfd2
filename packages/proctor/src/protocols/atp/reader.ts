// Tells what one message of an ATP agent is (event, response, anything else) and lists how it departs from document 000.
// Remembers what the rules need between messages: the last sequence.
import type { Violation } from "../../core/event.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { isTooDeep, MAX_JSON_DEPTH } from "../../core/json-depth.ts";
import { inexactViolations } from "../../core/json-numbers.ts";
import type { AgentEventDraft } from "../../core/ports/driver.ts";
import { decodeEvent } from "./codec.ts";
import { taskKey } from "./formats.ts";
import { isValueTooDeep } from "../../core/json-value-depth.ts";
import { schemaViolations } from "../schema-violations.ts";
import { isLaterMinor, shown, unsupportedVersion, versionViolation } from "./violations.ts";
import { compatEvent, compatResponse, type CompatResponse } from "./wire-compat.ts";
import { atpEvent, atpResponse } from "./wire.ts";

export type AtpLine =
  | { kind: "event"; event: AgentEventDraft; violations: Violation[] }
  | { kind: "response"; response: CompatResponse; violations: Violation[] }
  /** A message that was meant as a response but cannot be used. */
  | { kind: "unusable"; violations: Violation[] }
  | { kind: "other"; violations: Violation[] };

export interface AtpReader {
  /** Reads one line or frame. */
  read(text: string): AtpLine;
  /** Reads a message that did not come as text. */
  readMessage(message: Json): AtpLine;
}

export function createAtpReader(taskId: string): AtpReader {
  let lastSequence: number | undefined;

  function readEvent(message: JsonObject): AtpLine {
    const strict = atpEvent.safeParse(message);
    const parsed = strict.success ? strict : compatEvent.safeParse(message);
    if (!parsed.success)
      return { kind: "other", violations: schemaViolations("atp.event", parsed.error.issues, message) };
    const wire = parsed.data;
    const unsupported = unsupportedVersion(wire.version);
    if (unsupported !== undefined) return { kind: "other", violations: [wrongVersion(unsupported, "event")] };
    const { event, violations } = decodeEvent(wire);
    if (!strict.success) {
      const later = isLaterMinor(wire.version);
      const issues = strict.error.issues.filter(({ path }) => !later || path[0] !== "event_type");
      violations.push(...schemaViolations("atp.event", issues, message));
    }
    note(violations, versionViolation("atp.event", message["version"]));
    note(violations, otherTask(wire.task_id, "event"));
    note(violations, checkSequence(wire["sequence"]));
    return { kind: "event", event, violations };
  }

  /** Notes departures from "Monotonically increasing sequence number"; the order of arrival is kept. */
  function checkSequence(sequence: unknown): Violation | undefined {
    // Anything else departs from the schema, and is recorded as such.
    if (typeof sequence !== "number" || !Number.isInteger(sequence) || sequence < 0) return undefined;
    const expected = lastSequence === undefined ? 0 : lastSequence + 1;
    lastSequence = Math.max(sequence, lastSequence ?? sequence);
    if (sequence === expected) return undefined;
    const rule = sequence < expected ? "atp.sequence.repeated" : "atp.sequence.gap";
    return { rule, message: `sequence is ${sequence}, expected ${expected}`, where: "event.sequence" };
  }

  function readResponse(message: JsonObject): AtpLine {
    const strict = atpResponse.safeParse(message);
    const parsed = strict.success ? strict : compatResponse.safeParse(message);
    if (!parsed.success)
      return { kind: "unusable", violations: schemaViolations("atp.response", parsed.error.issues, message) };
    // Both profiles have the fields that compat names.
    const response = parsed.data as CompatResponse;
    const unsupported = unsupportedVersion(response.version);
    if (unsupported !== undefined) {
      return { kind: "unusable", violations: [wrongVersion(unsupported, "response")] };
    }
    const violations = schemaViolations("atp.response", strict.error?.issues ?? [], message);
    note(violations, versionViolation("atp.response", message["version"]));
    note(violations, otherTask(response.task_id, "response"));
    return { kind: "response", response, violations };
  }

  function otherTask(id: string | undefined, what: string): Violation | undefined {
    if (id !== undefined && taskKey(id) === taskKey(taskId)) return undefined;
    const message = `task_id is ${id === undefined ? "missing" : shown(id)}, which is not this task`;
    return { rule: "atp.task_id", message, where: `${what}.task_id` };
  }

  function classify(message: Json): AtpLine {
    if (!isJsonObject(message)) return { kind: "other", violations: [] };
    if (isEvent(message)) return readEvent(message);
    if (isResponse(message)) return readResponse(message);
    return { kind: "other", violations: [] };
  }

  return {
    read(given) {
      const text = given.startsWith(BYTE_ORDER_MARK) ? given.slice(1) : given;
      if (text !== given && text.startsWith("{")) return withMark(this.read(text));
      if (!text.startsWith("{")) return { kind: "other", violations: [] };
      if (isTooDeep(text)) return notJson(`nested deeper than ${MAX_JSON_DEPTH}`);
      let message: Json;
      try {
        message = JSON.parse(text) as Json;
      } catch {
        return notJson("not valid JSON");
      }
      const line = classify(message);
      // Lines of a log are not ours to judge.
      if (line.kind !== "other") line.violations.push(...inexactViolations(text));
      return line;
    },
    readMessage(message) {
      return isValueTooDeep(message) ? notJson(`nested deeper than ${MAX_JSON_DEPTH}`) : classify(message);
    },
  };
}

const BYTE_ORDER_MARK = "\ufeff";

function withMark(line: AtpLine): AtpLine {
  const message = "there is a byte order mark before the message; it was taken without";
  return { ...line, violations: [...line.violations, { rule: "line.encoding", message }] };
}

/** Recognises an event by its `event_type`, or by all its other fields: a message that only lacks the type is a wrong event. */
function isEvent(message: JsonObject): boolean {
  if (typeof message["event_type"] === "string") return true;
  return !("status" in message) && ["task_id", "sequence", "payload"].every((name) => name in message);
}

function isResponse(message: JsonObject): boolean {
  if (typeof message["status"] === "string") return true;
  const known = ["artifacts", "metrics", "error"].filter((name) => name in message).length;
  return known >= 2 || (known === 1 && "task_id" in message);
}

/** Describes the problem without an excerpt: the whole line is in the log, and an excerpt could cut a secret in two, so that it is not recognised. */
function notJson(message: string): AtpLine {
  return { kind: "other", violations: [{ rule: "atp.json", message }] };
}

function note(violations: Violation[], violation: Violation | undefined): void {
  if (violation) violations.push(violation);
}

function wrongVersion(message: string, what: string): Violation {
  return { rule: "atp.version", message, where: `${what}.version` };
}
