// What a call of a model or a tool says of itself, in the words of OpenTelemetry's conventions for generative AI.
import type { JsonObject } from "../../core/json.ts";
import { amount, type AttributeRecord, count } from "./attributes.ts";
import { outcomeOfCall } from "./failing.ts";
import { type OtlpSpan, SPAN_KIND } from "./otlp.ts";
import { content, label } from "./text.ts";

export interface Call {
  name: string;
  kind: number;
  status: OtlpSpan["status"];
  record: AttributeRecord;
}

/** Describes a model call, which the agent reports as `llm_request`. */
export function describeChat(payload: JsonObject, withContent: boolean): Call {
  const model = label(payload["model"]);
  const stopReason = label(payload["stop_reason"]);
  const { status, errorType } = outcomeOfCall(payload, withContent);
  return {
    name: model === undefined ? "chat" : `chat ${model}`,
    kind: SPAN_KIND.CLIENT,
    status,
    record: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": label(payload["provider"]),
      "gen_ai.request.model": model,
      "gen_ai.request.temperature": amount(payload["temperature"]),
      "gen_ai.response.finish_reasons": stopReason === undefined ? undefined : [stopReason],
      "gen_ai.usage.input_tokens": count(payload["input_tokens"]),
      "gen_ai.usage.output_tokens": count(payload["output_tokens"]),
      "error.type": errorType,
      "proctor.llm.cost_usd": amount(payload["cost_usd"]),
      // No field of a model call is known to hold its prompt: whatever the agent added is shown as it came.
      "proctor.llm.payload": withContent ? content(payload) : undefined,
    },
  };
}

/** Describes a tool call: `tool_call`, which the agent reports, or `tool.called`, which the platform observed. */
export function describeTool(payload: JsonObject, observed: boolean, withContent: boolean): Call {
  const tool = label(payload["tool"]);
  const { status, errorType } = outcomeOfCall(payload, withContent);
  return {
    name: tool === undefined ? "execute_tool" : `execute_tool ${tool}`,
    kind: SPAN_KIND.INTERNAL,
    status,
    record: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": tool,
      "gen_ai.tool.call.id": label(payload["call_id"]),
      "gen_ai.tool.call.arguments": withContent ? content(payload["input"]) : undefined,
      "gen_ai.tool.call.result": withContent ? content(payload["output"]) : undefined,
      "error.type": errorType,
      "proctor.observed": observed,
      "proctor.tool.status": label(payload["status"]),
      "proctor.tool.mode": observed ? label(payload["mode"]) : undefined,
      "proctor.tool.http_status": observed ? count(payload["http_status"]) : undefined,
    },
  };
}
