// What a scripted agent plays: turns of events, as document 001 (section 4.2) has them, with what only Proctor adds (delays, faults,
// events that are sent as they are). Reads the decoded `responses_json`; files are script-file.ts.
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { quote } from "../../core/printable.ts";
import { didYouMean } from "../../core/suggest.ts";
import { A2aError, type A2aReason } from "../../protocols/a2a/errors.ts";
import { readFault, type ScriptedFault } from "./faults/fault.ts";

/** Kinds of events by their names in version 0.3. */
export const EVENT_KINDS = ["task", "message", "status-update", "artifact-update"] as const;

/** Kinds of events by their keys in version 1.0. */
export const EVENT_KEYS = ["task", "message", "statusUpdate", "artifactUpdate"] as const;
export type EventKey = (typeof EVENT_KEYS)[number];

export interface ScriptedEvent {
  /** The event as it was written: an object of 0.3 with its `kind`, or a frame of 1.0 with one of EVENT_KEYS. */
  event: JsonObject;
  /** True when the event is sent unchanged, whatever it is, and has no effect on the task. */
  raw?: boolean;
  /** Milliseconds before the event. */
  delayMs?: number;
}

export interface Turn {
  events: readonly ScriptedEvent[];
  /** Error that refuses the turn. */
  error?: { reason: A2aReason; message?: string };
  /** Faults on the way to the client. */
  faults?: readonly ScriptedFault[];
  /** True when the turn goes on after its events until the task is cancelled. */
  staysOpen?: boolean;
}

export interface Script {
  /** Name of the script in captured requests and on the screen. */
  name: string;
  /** Returns the turn with this index for this message; undefined when the script has no more. */
  turn(index: number, text: string): Turn | undefined;
  /** Number of turns, where it is known. */
  turns?: number;
  /** Answer to a message for an ended task: the next turn (document 001), or the refusal that A2A requires. */
  ended: "play" | "refuse";
  cancel: "accept" | "refuse";
  /** Whether a stream begins with the task; `auto`: where the version asks for it and the script has no better beginning. */
  opening: "auto" | "task" | "none";
  faults: readonly ScriptedFault[];
  /** True when `{{…}}` in the script's texts is replaced. */
  templates: boolean;
}

export type ScriptOptions = Partial<Omit<Script, "name" | "turn" | "turns">>;

const MAX_TURNS = 10_000;
const MAX_EVENTS = 100_000;
const MAX_DELAY_MS = 3_600_000;

export function createScript(name: string, turns: readonly Turn[], options: ScriptOptions = {}): Script {
  return {
    name,
    turn: (index) => turns[index],
    turns: turns.length,
    ended: "play",
    cancel: "accept",
    opening: "auto",
    faults: [],
    templates: false,
    ...options,
  };
}

/** Returns the turns of a decoded `responses_json`. Throws A2aError INVALID_PARAMS, in which the value is called `name`. */
export function readTurns(value: Json, name = "responses_json"): Turn[] {
  if (!Array.isArray(value)) throw wrong(name, "must be a list of turns");
  if (value.length === 0) throw wrong(name, "has no turn");
  if (value.length > MAX_TURNS) throw wrong(name, `has more than ${MAX_TURNS} turns`);
  const turns = value.map((turn, index) => readTurn(turn, `${name}[${index}]`));
  if (turns.reduce((sum, { events }) => sum + events.length, 0) > MAX_EVENTS) {
    throw wrong(name, `has more than ${MAX_EVENTS} events`);
  }
  return turns;
}

function readTurn(value: Json, place: string): Turn {
  if (Array.isArray(value)) return { events: readEvents(value, place) };
  if (!isJsonObject(value)) throw wrong(place, "must be a list of events");
  const { events, faults, stays_open: staysOpen, ...rest } = value;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) {
    throw wrong(place, `has the unknown key ${quote(unknown)}; a turn is a list of events`);
  }
  if (!Array.isArray(events)) throw wrong(`${place}.events`, "must be a list of events");
  if (staysOpen !== undefined && typeof staysOpen !== "boolean") {
    throw wrong(`${place}.stays_open`, "must be true or false");
  }
  return {
    events: readEvents(events, `${place}.events`),
    ...(faults !== undefined && { faults: readFaults(faults, `${place}.faults`) }),
    ...(staysOpen !== undefined && { staysOpen }),
  };
}

function readEvents(values: readonly Json[], place: string): ScriptedEvent[] {
  return values.map((value, index) => readEvent(value, `${place}[${index}]`));
}

/** Reads an event, or `{event, raw?, delay_ms?}`. */
export function readEvent(value: Json, place: string): ScriptedEvent {
  if (!isJsonObject(value)) throw wrong(place, "must be an event: an object with a kind");
  if (!isJsonObject(value["event"]) || typeof value["kind"] === "string") {
    const problem = kindProblem(value);
    if (problem !== undefined) throw wrong(place, problem);
    return { event: value };
  }
  const { event, raw, delay_ms: delayMs, ...rest } = value;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) {
    throw wrong(
      place,
      `has the unknown key ${quote(unknown)}; beside "event" there are "raw" and "delay_ms"`,
    );
  }
  if (raw !== undefined && typeof raw !== "boolean") throw wrong(`${place}.raw`, "must be true or false");
  if (delayMs !== undefined && !isDelay(delayMs)) {
    throw wrong(`${place}.delay_ms`, `must be a number from 0 to ${MAX_DELAY_MS}`);
  }
  const problem = raw === true ? undefined : kindProblem(event);
  if (problem !== undefined) throw wrong(`${place}.event`, problem);
  return { event, ...(raw === true && { raw }), ...(delayMs !== undefined && { delayMs }) };
}

function isDelay(value: Json): value is number {
  return typeof value === "number" && value >= 0 && value <= MAX_DELAY_MS;
}

/** Returns undefined when the event is of a known kind. */
function kindProblem(event: JsonObject): string | undefined {
  const { kind } = event;
  if (typeof kind === "string") {
    if (EVENT_KINDS.some((known) => known === kind)) return undefined;
    const hint = didYouMean(kind, EVENT_KINDS, `known kinds: ${EVENT_KINDS.join(", ")}`);
    return `is an event of the unknown kind ${quote(kind)}; ${hint}; mark it "raw": true to send it as it is`;
  }
  if (EVENT_KEYS.filter((key) => isJsonObject(event[key])).length === 1) return undefined;
  return `is no event: it needs a "kind" (${EVENT_KINDS.join(", ")}) or exactly one of ${EVENT_KEYS.join(", ")}`;
}

export function readFaults(value: Json, place: string): ScriptedFault[] {
  const list = Array.isArray(value) ? value : [value];
  return list.map((spec, index) => {
    if (typeof spec !== "string") throw wrong(`${place}[${index}]`, 'must be text, such as "cut:2"');
    try {
      return readFault(spec);
    } catch (error) {
      if (error instanceof Error) throw wrong(`${place}[${index}]`, error.message.replaceAll("\n", "; "));
      throw error;
    }
  });
}

function wrong(place: string, what: string): A2aError {
  return new A2aError("INVALID_PARAMS", `${place} ${what}`, {
    fields: [{ field: place, description: what }],
  });
}
