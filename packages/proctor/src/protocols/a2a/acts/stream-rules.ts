// What a stream must be like (ACTS, section 7): how many events, in which order, and what they hold. Pure. An event is looked at with its own fields
// and by its kind: `status` and `status_update.status` are the same.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { isTerminalState } from "../states.ts";
import { match, mismatch, type Mismatch } from "./match.ts";
import type { EventAssertion, ExpectStream } from "./step-schema.ts";

/** The names of the four kinds on the wire, and in ACTS. */
const KINDS: Readonly<Record<string, string>> = {
  task: "task",
  message: "message",
  statusUpdate: "status_update",
  artifactUpdate: "artifact_update",
};

/** Returns an event as assertions see it. One that is not of a known kind, such as an envelope, is as it came. */
export function viewOf(event: Json): Json {
  if (!isJsonObject(event)) return event;
  const [only, ...more] = Object.entries(event);
  if (only === undefined || more.length > 0) return event;
  const [kind, payload] = only;
  const name = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (name === undefined || !isJsonObject(payload)) return event;
  return { ...payload, [kind]: payload, [name]: payload };
}

export interface HeardStream {
  events: readonly Json[];
  /** True where we left the stream, so that its end was not seen. */
  wasLeft: boolean;
}

export function checkStream(expected: ExpectStream, { events, wasLeft }: HeardStream): Mismatch | undefined {
  const views = events.map(viewOf);
  const { each_event: each, ordering, final_event: last } = expected;
  const always = [
    () => (ordering === undefined ? undefined : checkOrder(events)),
    () => (each === undefined ? undefined : checkEach(each, views)),
  ];
  const whole = [
    () => checkCount(expected, views.length),
    () => first((expected.events ?? []).map((event, index) => () => checkEvent(event, index, views))),
    () => (last === undefined ? undefined : match(last, views.at(-1), "final_event")),
  ];
  return first(wasLeft ? always : [...whole, ...always]);
}

function first(checks: readonly (() => Mismatch | undefined)[]): Mismatch | undefined {
  for (const check of checks) {
    const found = check();
    if (found) return found;
  }
  return undefined;
}

function checkCount(
  { min_count: least, max_count: most }: ExpectStream,
  count: number,
): Mismatch | undefined {
  if (least !== undefined && count < least) return mismatch("events", `at least ${least}`, count);
  if (most !== undefined && count > most) return mismatch("events", `at most ${most}`, count);
  return undefined;
}

function checkEach(assertion: JsonObject, views: readonly Json[]): Mismatch | undefined {
  if (views.length === 0) return mismatch("each_event", "a stream with events", undefined);
  return first(views.map((view, index) => () => match(assertion, view, `events[${index}]`)));
}

function checkEvent(
  expected: EventAssertion,
  position: number,
  views: readonly Json[],
): Mismatch | undefined {
  const { description, match: place, index = position, ...assertion } = expected;
  if (expected.index === undefined && place === "any_position") {
    const findings = views.map((view, at) => match(assertion, view, `events[${at}]`));
    if (findings.includes(undefined)) return undefined;
    const { expected: wanted, actual } = findings[0] ?? mismatch("events", "an event", undefined);
    const message = `no event is like this: ${description ?? JSON.stringify(assertion)}`;
    return { path: "events[*]", message, expected: wanted, actual };
  }
  const view = views[index];
  return view === undefined
    ? mismatch(`events[${index}]`, "an event", undefined)
    : match(assertion, view, `events[${index}]`);
}

/** Rejects only what the specification forbids: going back to submitted, and anything new after the end. Its list of transitions is incomplete. */
function checkOrder(events: readonly Json[]): Mismatch | undefined {
  let last: string | undefined;
  for (const [index, event] of events.entries()) {
    const state = stateOf(event);
    const path = `events[${index}]`;
    const isOver = last !== undefined && isTerminalState(last);
    if (isOver && state !== last) return mismatch(path, `nothing after ${last}`, state ?? event);
    if (state === SUBMITTED && last !== undefined && last !== SUBMITTED)
      return mismatch(path, `a state that follows ${last}`, state);
    last = state ?? last;
  }
  return undefined;
}

const SUBMITTED = "TASK_STATE_SUBMITTED";

function stateOf(event: Json): string | undefined {
  const view = viewOf(event);
  const status = isJsonObject(view) ? view["status"] : undefined;
  const state = isJsonObject(status) ? status["state"] : undefined;
  return typeof state === "string" ? state : undefined;
}
