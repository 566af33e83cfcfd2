// What each kind of mock was asked, as the hub keeps it: no headers, which hold what callers prove themselves with.
import type { NewDoubleRequest } from "../../../core/double.ts";
import type { Json } from "../../../core/json.ts";
import type { LlmCall } from "../../../core/llm-script.ts";
import type { OAuthRequest } from "../../../core/oauth-script.ts";
import type { PushDelivery } from "../../../core/push-script.ts";
import type { MockAgentTask } from "../../compose/serve-mock-agent.ts";
import type { AnsweredCall } from "../../compose/serve-mock-tools.ts";
import type { ScriptedAgentCall } from "../../compose/serve-scripted-agent.ts";

const FIRST_ERROR = 400;

export function ofScriptedAgent(call: ScriptedAgentCall): NewDoubleRequest {
  const { time, operation, method, path, body, status, error, faults, turn, task_id } = call;
  const script = call.test_case_id ?? call.script;
  return {
    at: time,
    asked: operation ?? `${method} ${path}`,
    request: body,
    answered: given({ status, error, faults, task_id }),
    matched: script === undefined ? null : turn === undefined ? script : `${script}, turn ${turn}`,
    unmatched: error !== undefined || (status ?? 0) >= FIRST_ERROR,
  };
}

export function ofRecordedAgent(
  { taskId, description, file, outcome }: MockAgentTask,
  now: Date,
): NewDoubleRequest {
  return {
    at: now.toISOString(),
    asked: "task",
    request: { task_id: taskId, description },
    answered: { outcome },
    matched: file,
    unmatched: false,
  };
}

export function ofTools(call: AnsweredCall): NewDoubleRequest {
  const { time, tool, input, status, output, error, error_code, http_status, mode } = call;
  return {
    at: time,
    asked: tool,
    request: input,
    answered: given({ status, output, error, error_code, http_status }),
    matched: mode === "none" ? null : mode,
    unmatched: mode === "none",
  };
}

export function ofModel(call: LlmCall): NewDoubleRequest {
  const { time, endpoint, model, request, answer, status, content, tool_calls, finish_reason, error } = call;
  return {
    at: time,
    asked: `${endpoint} ${model}`.trim(),
    request,
    answered: given({ status, content, tool_calls, finish_reason, error }),
    matched: answer === null ? null : typeof answer === "number" ? `answer ${answer}` : answer,
    unmatched: answer === null,
  };
}

export function ofOAuth(request: OAuthRequest): NewDoubleRequest {
  const { time, endpoint, method, path, parameters, status, error, error_description, faults } = request;
  return {
    at: time,
    asked: `${method} ${path}`,
    request: parameters,
    answered: given({ status, error, error_description, faults }),
    matched: endpoint === "none" ? null : endpoint,
    unmatched: endpoint === "none" || error !== undefined,
  };
}

export function ofPush(delivery: PushDelivery): NewDoubleRequest {
  const { time, method, path, body, kind, status, faults, checks, duplicate_of, out_of_order } = delivery;
  return {
    at: time,
    asked: `${method} ${path}`,
    request: body,
    answered: given({ status, faults, checks, duplicate_of, out_of_order }),
    matched: kind,
    unmatched: kind === "unknown",
  };
}

/** Leaves out the facts that are undefined. */
function given(facts: Record<string, unknown>): Json {
  // Facts of the mocks are JSON.
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Json;
}
