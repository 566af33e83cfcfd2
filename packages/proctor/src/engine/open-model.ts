// The model endpoint of a run, as its agent's program finds it: four variables.
import { randomBytes } from "node:crypto";
import type { Failure } from "../core/failure.ts";
import type { AgentDriver } from "../core/ports/driver.ts";
import type { ModelCall, ModelHost } from "../core/ports/model-host.ts";
import type { RunOptions } from "../core/run-options.ts";
import type { Run } from "../core/run.ts";

export interface RunModel {
  env: Record<string, string>;
  close(): Promise<void>;
}

/** Returns a new key for the run's model; undefined when the agent gets no model. */
export function createModelKey({ needs }: AgentDriver, { llm }: RunOptions): string | undefined {
  const wanted = llm === undefined ? needs?.model === true : llm.enabled !== false;
  return wanted ? `proctor-${randomBytes(24).toString("base64url")}` : undefined;
}

export async function openModel(
  models: ModelHost,
  request: {
    run: Run;
    options: RunOptions;
    modelKey: string | undefined;
    onModelCall: (call: ModelCall) => Promise<void>;
    usedUp: () => Promise<Failure | undefined>;
  },
): Promise<RunModel | undefined> {
  const { run, options, modelKey: key, onModelCall, usedUp } = request;
  if (key === undefined) return undefined;
  const { model, budget_usd: own } = options.llm ?? {};
  const budgets = [own, run.constraints.budget_usd].filter(
    (budget) => budget !== undefined && budget !== null,
  );
  const endpoint = await models.open({
    runId: run.id,
    traceId: run.trace_id,
    key,
    ...(model !== undefined && { model }),
    ...(budgets.length > 0 && { budgetUsd: Math.min(...budgets) }),
    usedUp: async () => (await usedUp())?.message,
    onCall: onModelCall,
  });
  return {
    env: {
      LLM_API_URL: endpoint.url,
      LLM_API_KEY: key,
      LLM_PROVIDER: endpoint.provider,
      LLM_MODEL: endpoint.model,
    },
    close: () => endpoint.close(),
  };
}
