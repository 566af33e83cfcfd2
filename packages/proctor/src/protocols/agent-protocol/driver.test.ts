import type { JsonObject } from "../../core/json.ts";
import { describeDriver, type ProtocolWords } from "../protocol.case.ts";
import { apStage } from "../../../test/support/agent-protocol/puppet-server.ts";

/** How a step says what happened in it. */
const INSIDE: Record<string, string> = { tool_call: "tool_calls", llm_request: "llm_requests" };

const words: ProtocolWords = {
  request: ({ task: { description, ...asked }, constraints, context, metadata }) => ({
    input: description,
    additional_input: { ...asked, constraints, context, metadata },
  }),
  description: ({ request }) => request["input"] as string,
  event: ({ request }, sequence, kind, payload) => ({
    ...stepOf(request, `step-${sequence}`),
    additional_output: { [INSIDE[kind] ?? kind]: [payload] },
  }),
  response: ({ request }, { artifacts, error, error_code }) => ({
    ...stepOf(request, "last"),
    is_last: true,
    ...(artifacts !== undefined && { artifacts }),
    ...(error !== undefined && { additional_output: { error: { message: error, code: error_code } } }),
  }),
  unusable: () => ({ something: "else" }),
  statuses: ["failed"],
  rules: { otherTask: "ap.task_id" },
  hasEnvelope: false,
  flood: 500,
  alwaysReported: ["progress"],
};

function stepOf({ task_id }: JsonObject, step_id: string): JsonObject {
  return { task_id, step_id, status: "completed", is_last: false, artifacts: [], output: null };
}

describeDriver(apStage, words);
