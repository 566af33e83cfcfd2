// The secret values of a run: collected when it is submitted, sealed while it waits, opened when it starts.
import { MASK, maskSpec, maskValues, type AgentSpec } from "../core/agent.ts";
import type { ClaimedRun } from "../core/ports/store.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { Secret } from "../core/redact.ts";
import type { Context } from "../core/task.ts";

interface SecretValues {
  environment?: Record<string, string>;
  env?: Record<string, string>;
  headers?: Record<string, string>;
}

export interface Sealed {
  /** As they may be written down. */
  spec: AgentSpec;
  context: Context;
  sealed: string | null;
  secrets: Secret[];
}

/** Takes the secrets out of what was submitted. */
export function sealSecrets(spec: AgentSpec, context: Context, sealer: Sealer): Sealed {
  const values: SecretValues = {
    ...(context.environment && { environment: context.environment }),
    ...(spec.env && { env: spec.env }),
    ...(spec.headers && { headers: spec.headers }),
  };
  const secrets = listSecrets(values);
  return {
    spec: maskSpec(spec),
    context: context.environment ? { ...context, environment: maskValues(context.environment) } : context,
    sealed: secrets.length > 0 ? sealer.seal(JSON.stringify(values)) : null,
    secrets,
  };
}

export interface Opened {
  spec: AgentSpec;
  context: Context;
  secrets: Secret[];
}

/** Puts them back. Undefined when they were sealed with a key that is gone. */
export function openSecrets(claimed: ClaimedRun, sealer: Sealer): Opened | undefined {
  const { spec, run, sealed } = claimed;
  if (sealed === null) return { spec, context: run.context, secrets: [] };
  const opened = sealer.open(sealed);
  if (opened === undefined) return undefined;
  // The sealer authenticates: this is what sealSecrets wrote.
  const { environment, env, headers } = JSON.parse(opened) as SecretValues;
  return {
    spec: { ...spec, ...(env && { env }), ...(headers && { headers }) },
    context: { ...run.context, ...(environment && { environment }) },
    secrets: listSecrets({
      ...(environment && { environment }),
      ...(env && { env }),
      ...(headers && { headers }),
    }),
  };
}

function listSecrets(values: SecretValues): Secret[] {
  return Object.values(values).flatMap((group: Record<string, string>) =>
    Object.entries(group)
      .filter(([, value]) => value !== "" && value !== MASK)
      .map(([name, value]) => ({ name, value })),
  );
}
