// Pairs what an agent reported with what was observed: by call id where there is one, else the next of the same tool.
import type { Event } from "../../api/gen/schema.ts";
import { str } from "../../components/describe-event.ts";

export interface CallPair {
  name: string;
  reported?: Event;
  observed?: Event;
  /** Whether both are there, with the same input and the same kind of end. */
  agrees: boolean;
}

export function pairCalls(events: readonly Event[]): CallPair[] {
  const observed = events.filter(({ type, payload }) => type === "tool.called" && payload["mode"] !== "lab");
  const left = new Set(observed);
  const pairs: CallPair[] = [];
  for (const reported of endsOfCalls(events)) {
    const name = str(reported.payload["tool"]);
    const id = reported.payload["call_id"];
    const partner =
      observed.find((call) => left.has(call) && id !== undefined && call.payload["call_id"] === id) ??
      observed.find((call) => left.has(call) && call.payload["tool"] === name);
    if (partner !== undefined) left.delete(partner);
    pairs.push({ name, reported, ...(partner && { observed: partner }), agrees: agree(reported, partner) });
  }
  for (const call of left) pairs.push({ name: str(call.payload["tool"]), observed: call, agrees: false });
  return pairs.sort((a, b) => placeOf(a) - placeOf(b));
}

/** Returns one event for each call: of one that was reported at its start and at its end, the end. */
function endsOfCalls(events: readonly Event[]): Event[] {
  const calls = new Map<unknown, Event>();
  for (const event of events) {
    if (event.type === "tool_call") calls.set(event.payload["call_id"] ?? event.sequence, event);
  }
  return [...calls.values()];
}

function agree(reported: Event, observed: Event | undefined): boolean {
  if (observed === undefined) return false;
  const sameInput =
    reported.cut !== undefined ||
    observed.cut !== undefined ||
    JSON.stringify(reported.payload["input"]) === JSON.stringify(observed.payload["input"]);
  const failed = (event: Event): boolean =>
    event.payload["error"] != null || event.payload["status"] === "error";
  return sameInput && failed(reported) === failed(observed);
}

function placeOf({ reported, observed }: CallPair): number {
  return Math.min(reported?.sequence ?? Infinity, observed?.sequence ?? Infinity);
}
