// How a terminal run can fail, in one place: which limit fired is in the details, by its name.
import { messageOf } from "../../core/message-of.ts";
import { failure, type Failure } from "../../core/failure.ts";
import type { JsonObject } from "../../core/json.ts";

export interface AgentExit {
  code: number | null;
  signal: string | null;
}

export function responseTimeout(seconds: number, step: number, said: JsonObject): Failure {
  const message = `the agent did not answer step ${step} within ${seconds} s`;
  return failure("AGENT_RESPONSE_TIMEOUT", message, { limit: "agent_response", seconds, step, ...said });
}

export function maxSteps(steps: number): Failure {
  const message = `the agent was not done after ${steps} steps`;
  return failure("MAX_STEPS", message, { limit: "max_steps", steps });
}

export function tooManyNoops(count: number, step: number): Failure {
  const message = `the agent asked for nothing ${count} times in a row`;
  return failure("TOO_MANY_NOOPS", message, { limit: "noop_limit", count, step });
}

export function invalidResponse(problem: string, count: number, step: number): Failure {
  const message = `${count} answers in a row to step ${step} could not be used; the last: ${problem}`;
  return failure("INVALID_RESPONSE", message, { step, count });
}

/** Returns the failure of an agent that exited before it said that it is done. */
export function agentGone(exit: AgentExit | undefined, step: number, said: JsonObject): Failure {
  const { code = null, signal = null } = exit ?? {};
  const details = { code, signal, step, ...said };
  const before = `before it was done, at step ${step}`;
  if (signal !== null) return failure("AGENT_CRASHED", `the agent was ended by ${signal} ${before}`, details);
  if (code === 0) return failure("NO_RESPONSE", `the agent exited ${before}`, details);
  return failure("AGENT_CRASHED", `the agent exited with code ${code} ${before}`, details);
}

/** Returns the failure of an agent that closed its output and stays. */
export function outputClosed(step: number, said: JsonObject): Failure {
  const message = `the agent closed its output before it was done, at step ${step}, and did not exit`;
  return failure("NO_RESPONSE", message, { step, ...said });
}

export function notStarted(message: string, reason: string): Failure {
  return failure("AGENT_NOT_STARTED", message, { reason });
}

export function environmentFailed(error: unknown, step: number): Failure {
  const why = messageOf(error);
  return failure("ENVIRONMENT_FAILED", `the terminal broke at step ${step}: ${why}`, { step });
}
