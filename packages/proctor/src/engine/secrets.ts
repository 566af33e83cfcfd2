// The secret values of a run: collected when it is submitted, sealed while it waits, opened when it starts.
import { maskSpec, maskValues, type AgentSpec } from "../core/agent.ts";
import type { ClaimedRun } from "../core/ports/store.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { Secret } from "../core/redact.ts";
import type { RunOptions } from "../core/run-options.ts";
import type { Context } from "../core/task.ts";
import type { ToolSet } from "../core/tools.ts";
import { maskTools, secretsOf, secretsOfHeaders, secretsOfTools } from "./tool-secrets.ts";

interface SecretValues {
  environment?: Record<string, string>;
  env?: Record<string, string>;
  headers?: Record<string, string>;
  /** The tools with the headers and environments they need, where they have any. */
  tools?: ToolSet;
}

export interface Sealed {
  /** As they may be written down. */
  spec: AgentSpec;
  context: Context;
  options: RunOptions | undefined;
  sealed: string | null;
  secrets: Secret[];
}

/** Takes the secrets out of what was submitted. */
export function sealSecrets(
  spec: AgentSpec,
  context: Context,
  options: RunOptions | undefined,
  sealer: Sealer,
): Sealed {
  const tools = options?.tools;
  const toolSecrets = tools ? secretsOfTools(tools) : [];
  const values: SecretValues = {
    ...(context.environment && { environment: context.environment }),
    ...(spec.env && { env: spec.env }),
    ...(spec.headers && { headers: spec.headers }),
    ...(tools && toolSecrets.length > 0 && { tools }),
  };
  const secrets = listSecrets(values);
  return {
    spec: maskSpec(spec),
    context: context.environment ? { ...context, environment: maskValues(context.environment) } : context,
    options: values.tools ? { ...options, tools: maskTools(values.tools) } : options,
    sealed: secrets.length > 0 ? sealer.seal(JSON.stringify(values)) : null,
    secrets,
  };
}

export interface Opened {
  spec: AgentSpec;
  context: Context;
  /** Only where they hold secrets; otherwise the run's options have them. */
  tools?: ToolSet;
  secrets: Secret[];
}

/** Puts them back. Undefined when they were sealed with a key that is gone. */
export function openSecrets(claimed: ClaimedRun, sealer: Sealer): Opened | undefined {
  const { spec, run, sealed } = claimed;
  if (sealed === null) return { spec, context: run.context, secrets: [] };
  const opened = sealer.open(sealed);
  if (opened === undefined) return undefined;
  // The sealer authenticates: this is what sealSecrets wrote.
  const values = JSON.parse(opened) as SecretValues;
  const { environment, env, headers, tools } = values;
  return {
    spec: { ...spec, ...(env && { env }), ...(headers && { headers }) },
    context: { ...run.context, ...(environment && { environment }) },
    ...(tools && { tools }),
    secrets: listSecrets(values),
  };
}

function listSecrets({ environment, env, headers, tools }: SecretValues): Secret[] {
  const named = [...secretsOf(environment), ...secretsOf(env), ...secretsOfHeaders(headers)];
  return tools ? [...named, ...secretsOfTools(tools)] : named;
}
