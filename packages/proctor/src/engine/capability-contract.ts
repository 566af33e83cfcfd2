// Checks a run against the capability that its client asked for: the input before the run is created, the output when it ends.
import type { AgentEnd } from "../core/ports/driver.ts";
import type { Capabilities } from "../core/ports/capabilities.ts";
import type { RunRequest } from "../core/ports/hub.ts";
import type { RETURNS_RULE } from "../core/event.ts";
import { failure } from "../core/failure.ts";
import { ProctorError } from "../core/errors.ts";
import type { Run } from "../core/run.ts";
import type { AttemptLog } from "./attempt-log.ts";

/** Throws INVALID_REQUEST where the input does not fit. `agent` is the agent's registered name, or its address. */
export async function checkInput(
  { options, task }: Pick<RunRequest, "options" | "task">,
  agent: string,
  capabilities: Capabilities | undefined,
): Promise<void> {
  const capability = options?.capability;
  if (capability === undefined) return;
  if (capabilities === undefined) {
    throw new ProctorError("INVALID_REQUEST", "this hub knows no capabilities");
  }
  await capabilities.checkInput(agent, capability, task.input_data ?? {});
}

/** Returns the end of the run, after its output was checked against the capability's `returns`. */
export async function judgeOutput(
  end: AgentEnd,
  { agent, options }: Run,
  log: AttemptLog,
  capabilities: Capabilities | undefined,
): Promise<AgentEnd> {
  const { capability } = options;
  if (capability === undefined || capabilities === undefined || end.status !== "completed") return end;
  const mismatch = await capabilities.checkOutput(agent, capability, log.output?.value());
  if (mismatch === undefined) return end;
  const { message, policy } = mismatch;
  await log.record({
    type: "violation",
    payload: {
      rule: "capability.returns" satisfies typeof RETURNS_RULE,
      message,
      where: capability,
      owner: "proctor",
    },
  });
  if (policy === "violation") return end;
  return { ...end, status: "failed", failure: failure("INVALID_RESPONSE", message, { capability }) };
}
