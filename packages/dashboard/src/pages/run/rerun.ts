// The request that made a run, as far as the hub gives it: values of its environment are secrets that cannot be read back.
import type { Run, RunRequest } from "../../api/gen/schema.ts";

export function rerunRequest(run: Run): RunRequest {
  const { environment: _, ...context } = run.context;
  const { request_violations: __, ...options } = run.options;
  return {
    agent: run.agent,
    task: run.task,
    constraints: run.constraints,
    ...(Object.keys(context).length > 0 && { context }),
    ...(Object.keys(run.metadata).length > 0 && { metadata: run.metadata }),
    options: options,
  };
}

export function hasSecrets(run: Run): boolean {
  return Object.keys(run.context.environment ?? {}).length > 0;
}
