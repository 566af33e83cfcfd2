// The environment variables of an agent's program: a few harmless ones, its own, the run's, the platform's, and those by which its
// processes are found again.
import { baseEnvironment } from "../channels/process/base-environment.ts";
import type { Job } from "../core/ports/driver.ts";
import { agentVariables } from "../environments/agent-variables.ts";
import { traceparentOf } from "../runtime/span-ids.ts";

/** Variables that are harmless in an environment are the environment's own, and lead to the program. */
export function agentProgramVariables(
  job: Job,
  command: readonly string[],
  hubId: string,
): Record<string, string> {
  return {
    ...(job.environment ? agentVariables({ ...job.spec, command: [...command] }) : baseEnvironment()),
    ...job.spec.env,
    ...job.context.environment,
    ...job.env,
    TRACEPARENT: traceparentOf(job),
    PROCTOR_RUN_ID: job.runId,
    PROCTOR_HUB_ID: hubId,
  };
}
