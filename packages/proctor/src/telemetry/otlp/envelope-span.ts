// The span of the envelope that asked for a run. Only where the hub made its id: any other is its sender's to export.
import { isJsonObject } from "../../core/json.ts";
import type { Run } from "../../core/run.ts";
import { traceIdOf } from "../../runtime/span-ids.ts";
import { attributes } from "./attributes.ts";
import { type OtlpSpan, SPAN_KIND, SPAN_STATUS } from "./otlp.ts";
import { label } from "./text.ts";
import { parseTime, unixNano } from "./time.ts";

const SPAN_ID = /^(?!0{16})[0-9a-f]{16}$/;

/** Returns none for a run that was not started by an envelope, and for a later attempt, because the first one has it. */
export function envelopeSpan(run: Run, endMs: number): OtlpSpan[] {
  const mark = run.metadata["envelope"];
  // Metadata may hold anything that a client sent, unlike the parent of the run.
  if (!isJsonObject(mark) || run.attempt !== 1 || mark["span_id"] !== run.parent_span_id) return [];
  if (run.parent_span_id === null) return [];
  const parent = mark["parent_span_id"];
  const startMs = parseTime(run.created_at, endMs);
  return [
    {
      traceId: traceIdOf(run),
      spanId: run.parent_span_id,
      ...(typeof parent === "string" && SPAN_ID.test(parent) && { parentSpanId: parent }),
      name: "envelope execute",
      kind: SPAN_KIND.CONSUMER,
      startTimeUnixNano: unixNano(startMs),
      endTimeUnixNano: unixNano(Math.max(startMs, endMs)),
      attributes: attributes({
        "proctor.envelope.id": label(mark["id"]),
        "proctor.envelope.from": label(mark["from"]),
        "proctor.run.id": run.id,
      }),
      status: { code: SPAN_STATUS.UNSET },
    },
  ];
}
