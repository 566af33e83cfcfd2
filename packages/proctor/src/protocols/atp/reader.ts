// Tells what one line of an ATP agent is (event, response, anything else) and lists how it departs from document 000.
// Remembers what the rules need between lines: the last sequence.
import type { Violation } from "../../core/event.ts";
import { isJsonObject, type Json } from "../../core/json.ts";
import { isTooDeep, MAX_JSON_DEPTH } from "../../core/json-depth.ts";
import type { AgentEventDraft } from "../../core/ports/driver.ts";
import { decodeEvent } from "./codec.ts";
import { atpEvent, atpResponse, compatEvent, compatResponse, type CompatResponse } from "./wire.ts";

export type AtpLine =
  | { kind: "event"; event: AgentEventDraft; violations: Violation[] }
  | { kind: "response"; response: CompatResponse; violations: Violation[] }
  /** Meant as a response, and unusable. */
  | { kind: "unusable"; violations: Violation[] }
  | { kind: "other"; violations: Violation[] };

export interface AtpReader {
  read(text: string): AtpLine;
}

export function createAtpReader(taskId: string): AtpReader {
  let lastSequence: number | undefined;

  function readEvent(message: Json): AtpLine {
    const strict = atpEvent.safeParse(message);
    const parsed = strict.success ? strict : compatEvent.safeParse(message);
    if (!parsed.success)
      return { kind: "other", violations: schemaViolations("atp.event", parsed.error.issues) };
    const wire = parsed.data;
    if (!isSupported(wire.version))
      return { kind: "other", violations: [unsupported(wire.version, "event")] };
    const violations = strict.success ? [] : schemaViolations("atp.event", strict.error.issues);
    if (wire.task_id !== taskId) violations.push(otherTask(wire.task_id, "event"));
    const { sequence } = wire;
    if (typeof sequence === "number") violations.push(...checkSequence(sequence));
    return { kind: "event", event: decodeEvent(wire), violations };
  }

  /** "Monotonically increasing sequence number": order of arrival is kept, departures are recorded. */
  function checkSequence(sequence: number): Violation[] {
    const expected = lastSequence === undefined ? 0 : lastSequence + 1;
    lastSequence = Math.max(sequence, lastSequence ?? sequence);
    if (sequence === expected) return [];
    const rule = sequence < expected ? "atp.sequence.repeated" : "atp.sequence.gap";
    return [{ rule, message: `sequence is ${sequence}, expected ${expected}`, where: "event.sequence" }];
  }

  function readResponse(message: Json): AtpLine {
    const strict = atpResponse.safeParse(message);
    const parsed = strict.success ? strict : compatResponse.safeParse(message);
    if (!parsed.success)
      return { kind: "unusable", violations: schemaViolations("atp.response", parsed.error.issues) };
    // Both profiles have the fields that compat names.
    const response = parsed.data as CompatResponse;
    if (!isSupported(response.version)) {
      return { kind: "unusable", violations: [unsupported(response.version, "response")] };
    }
    const violations = strict.success ? [] : schemaViolations("atp.response", strict.error.issues);
    if (response.task_id !== taskId) violations.push(otherTask(response.task_id, "response"));
    return { kind: "response", response, violations };
  }

  return {
    read(text) {
      if (!text.startsWith("{")) return { kind: "other", violations: [] };
      if (isTooDeep(text)) return notJson(`nested deeper than ${MAX_JSON_DEPTH}`);
      let message: Json;
      try {
        message = JSON.parse(text) as Json;
      } catch {
        return notJson("not valid JSON");
      }
      if (!isJsonObject(message)) return { kind: "other", violations: [] };
      if (typeof message["event_type"] === "string") return readEvent(message);
      if (typeof message["status"] === "string") return readResponse(message);
      return { kind: "other", violations: [] };
    },
  };
}

/** The line itself is in the log, whole. An excerpt here could cut a secret in two, and halves are not recognised. */
function notJson(message: string): AtpLine {
  return { kind: "other", violations: [{ rule: "atp.json", message }] };
}

/** Document 000, "Compatibility Rules": another major is rejected, a higher minor accepted. */
function isSupported(version: string | undefined): boolean {
  return version === undefined || /^1(\.\d+)?$/.test(version);
}

function unsupported(version: string | undefined, what: string): Violation {
  return {
    rule: "atp.version",
    message: `unsupported version ${JSON.stringify(version)}`,
    where: `${what}.version`,
  };
}

function otherTask(taskId: string | undefined, what: string): Violation {
  const message = `task_id is ${JSON.stringify(taskId ?? null)}, which is not this task`;
  return { rule: "atp.task_id", message, where: `${what}.task_id` };
}

interface Issue {
  path: PropertyKey[];
  message: string;
}

function schemaViolations(rule: string, issues: readonly Issue[]): Violation[] {
  return issues
    .slice(0, 10)
    .map(({ path, message }) => ({ rule, message, where: [rule.slice(4), ...path.map(String)].join(".") }));
}
