// Why a run did not complete. An agent's failure is data in the run, never an exception (invariant 3).
import type { JsonObject } from "./json.ts";

export interface Failure extends JsonObject {
  code: string;
  message: string;
  details?: JsonObject;
}

/** Codes the platform itself gives. Agents may report others; they are kept as they came. */
export const FAILURES = {
  // The seven standard codes of document 000, "Standard Error Codes".
  INVALID_REQUEST: { retryable: false, meaning: "the request was malformed" },
  TOOL_NOT_FOUND: { retryable: false, meaning: "a requested tool is not available" },
  TOOL_ERROR: { retryable: true, meaning: "a tool failed" },
  LLM_ERROR: { retryable: true, meaning: "a call to a language model failed" },
  TIMEOUT: { retryable: false, meaning: "the run exceeded its time limit" },
  BUDGET_EXCEEDED: { retryable: false, meaning: "the run exceeded its steps, tokens or cost" },
  INTERNAL_ERROR: { retryable: false, meaning: "the agent or the platform failed unexpectedly" },
  // Codes that Proctor adds.
  AGENT_NOT_STARTED: { retryable: false, meaning: "the agent's program could not be started" },
  AGENT_FAILED: { retryable: false, meaning: "the agent said it failed and gave no code" },
  AGENT_CRASHED: { retryable: true, meaning: "the agent's program ended abnormally before it answered" },
  UNREACHABLE: { retryable: true, meaning: "no connection to the agent came about" },
  TLS_FAILED: { retryable: false, meaning: "the agent's certificate or its TLS was refused" },
  REDIRECTED: {
    retryable: false,
    meaning: "the agent's address answered with a redirect, which is not followed",
  },
  HTTP_ERROR: { retryable: false, meaning: "the agent's address answered with an error and no response" },
  WRONG_CONTENT_TYPE: { retryable: false, meaning: "the agent's answer is of another media type" },
  CONNECTION_LOST: { retryable: false, meaning: "the connection broke after the task was sent" },
  NO_RESPONSE: { retryable: true, meaning: "the agent ended without answering" },
  INVALID_RESPONSE: { retryable: false, meaning: "the agent's answer broke its protocol" },
  PROTOCOL_VIOLATION: { retryable: false, meaning: "the agent broke its protocol, and the run was strict" },
  CANARY_LEAKED: { retryable: false, meaning: "the canary turned up in what the agent sent" },
  WORKSPACE_FAILED: { retryable: false, meaning: "the run's workspace could not be made" },
  TOOLS_FAILED: { retryable: false, meaning: "the run's tools could not be served" },
  ENVIRONMENT_UNAVAILABLE: {
    retryable: false,
    meaning: "this machine has no environment that gives what the run needs",
  },
  ENVIRONMENT_FAILED: { retryable: true, meaning: "the run's environment could not be made, or broke" },
  BUILD_FAILED: { retryable: false, meaning: "the run's environment could not be built from its Dockerfile" },
  MODEL_FAILED: { retryable: false, meaning: "the run's model endpoint could not be served" },
  AGENT_RESPONSE_TIMEOUT: { retryable: false, meaning: "the agent took too long over one step" },
  MAX_STEPS: { retryable: false, meaning: "the agent did not finish within its steps" },
  TOO_MANY_NOOPS: { retryable: false, meaning: "the agent asked for nothing, several times in a row" },
  INTERRUPTED: { retryable: true, meaning: "the hub stopped while the run was in flight" },
  STEP_FAILED: { retryable: false, meaning: "the last step of a client's run failed" },
  NO_ANSWER: { retryable: false, meaning: "the agent asked for input and nobody answered" },
  REJECTED: { retryable: false, meaning: "the agent would not take the task" },
  SIMULATOR_FAILED: { retryable: true, meaning: "the simulated user failed, not the agent" },
  PLAN_FAILED: { retryable: false, meaning: "the goal got no plan that can be carried out" },
  SUBTASK_FAILED: { retryable: false, meaning: "a sub-task of the goal failed" },
  NO_AGENT: { retryable: false, meaning: "no agent could carry out a sub-task" },
  LOOP_DETECTED: { retryable: false, meaning: "the same work was given to the same agent again and again" },
  REVIEW_REJECTED: { retryable: false, meaning: "the review of a sub-task's output rejected it" },
  CANCELLED: { retryable: false, meaning: "somebody cancelled the run" },
  RECORDING_UNUSABLE: {
    retryable: false,
    meaning: "the recording that stands for the agent cannot be played",
  },
  SECRETS_LOST: { retryable: false, meaning: "the run's environment could not be unsealed after a restart" },
} as const satisfies Record<string, { retryable: boolean; meaning: string }>;

export type FailureCode = keyof typeof FAILURES;

export function failure(code: FailureCode, message: string, details?: JsonObject): Failure {
  return details === undefined ? { code, message } : { code, message, details };
}

export function isRetryable(code: string): boolean {
  return Object.hasOwn(FAILURES, code) && FAILURES[code as FailureCode].retryable;
}
