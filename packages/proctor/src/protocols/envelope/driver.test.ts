import { envelopeStage } from "../../../test/support/protocols/envelope-stage.ts";
import { ENVELOPE_SKIPS } from "../../../test/support/protocols/driver-skips.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { describeDriver, type ProtocolWords } from "../protocol.case.ts";

const words: ProtocolWords = {
  request: ({ task, constraints, context, metadata, traceId }) => ({
    from: "hub",
    type: "request",
    action: "execute",
    payload: { task, constraints, context, metadata },
    trace: { traceId },
  }),
  description: ({ request }) =>
    ((request["payload"] as JsonObject)["task"] as JsonObject)["description"] as string,
  event: ({ request }, _sequence, kind, payload) =>
    reply(request, "notification", "status_update", { event: kind, payload }),
  response: ({ request }, { error, error_code, error_details, ...fields }) =>
    reply(request, "response", "execute", {
      result: "done",
      ...fields,
      ...(error !== undefined && {
        error: { message: error, code: error_code ?? null, details: error_details ?? null },
      }),
    }),
  unusable: () => ({ something: "else" }),
  statuses: ["failed", "partial", "cancelled", "rejected"],
  rules: { otherTask: "" },
  hasEnvelope: false,
  skips: ENVELOPE_SKIPS,
};

function reply(request: JsonObject, type: string, action: string, payload: Json): JsonObject {
  return {
    id: `r${Math.random()}`,
    from: "puppet",
    to: "hub",
    type,
    action,
    payload,
    inReplyTo: request["id"] ?? "",
  };
}

for (const form of ["event stream", "lines"] as const) describeDriver(envelopeStage(form), words);
