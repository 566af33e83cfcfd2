// What a run did, by column: similar things stand together, and numbers that grow are written as steps.
import type { EvidenceEvent } from "../../evidence.ts";
import type { PackedEvents } from "./report-documents.ts";

export function packEvents(events: readonly EvidenceEvent[]): PackedEvents {
  return {
    type: events.map(({ type }) => type),
    sequence: steps(events.map(({ sequence }) => sequence)),
    at_ms: steps(events.map(({ at_ms }) => at_ms)),
    payload: events.map(({ payload }) => payload),
  };
}

function steps(values: readonly number[]): number[] {
  return values.map((value, at) => Number((value - (values[at - 1] ?? 0)).toFixed(3)));
}
