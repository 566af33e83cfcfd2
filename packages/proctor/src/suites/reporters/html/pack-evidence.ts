// What a run did, by column: similar things stand together, and numbers that grow are written as steps.
import type { Evidence } from "../../evidence.ts";
import type { PackedEvidence } from "./report-data.ts";

export function packEvidence({ events, ...rest }: Evidence): PackedEvidence {
  return {
    ...rest,
    events: {
      type: events.map(({ type }) => type),
      sequence: steps(events.map(({ sequence }) => sequence)),
      at_ms: steps(events.map(({ at_ms }) => at_ms)),
      duration_ms: events.map(({ duration_ms }) => duration_ms ?? null),
      payload: events.map(({ payload }) => payload),
    },
  };
}

function steps(values: readonly number[]): number[] {
  return values.map((value, at) => Number((value - (values[at - 1] ?? 0)).toFixed(3)));
}
