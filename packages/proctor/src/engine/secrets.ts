// The secret values of a run: collected when it is submitted, sealed while it waits, opened when it starts.
import { MASK, maskSpec, maskValues, type AgentSpec } from "../core/agent.ts";
import type { Json, JsonObject } from "../core/json.ts";
import { secretsOfLabs } from "../core/labs.ts";
import { secretsOfOptions } from "../core/option-secrets.ts";
import type { ClaimedRun } from "../core/ports/store.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { Answer } from "../core/question.ts";
import type { Secret } from "../core/redact.ts";
import type { RunOptions } from "../core/run-options.ts";
import type { Context, Task } from "../core/task.ts";
import { maskTools, secretsOf, secretsOfHeaders, secretsOfTools } from "./tool-secrets.ts";

/** What a run is asked to do and with what, secrets included. */
export interface Asked {
  spec: AgentSpec;
  task: Task;
  context: Context;
  metadata: JsonObject;
  options: RunOptions;
}

export function secretsIn({ spec, context, options }: Pick<Asked, "spec" | "context" | "options">): Secret[] {
  return [
    ...secretsOf(context.environment),
    ...secretsOf(spec.env),
    ...secretsOfHeaders(spec.headers),
    ...secretsOfOptions(spec.options).filter(({ value }) => value !== MASK),
    ...(options.tools ? secretsOfTools(options.tools) : []),
    ...(options.labs ? secretsOfLabs(options.labs) : []),
  ];
}

/** Returns the request as it may be stored: values whose place says that they are secret are masked. */
export function maskSecrets(asked: Asked): Asked {
  const { spec, context, options } = asked;
  return {
    ...asked,
    spec: maskSpec(spec),
    context: context.environment ? { ...context, environment: maskValues(context.environment) } : context,
    options: maskOptions(options),
  };
}

function maskOptions(options: RunOptions): RunOptions {
  const { tools, webhook } = options;
  return {
    ...options,
    ...(tools && { tools: maskTools(tools) }),
    ...(webhook?.secret !== undefined && { webhook: { ...webhook, secret: MASK } }),
  };
}

interface SealedValues {
  environment?: Record<string, string>;
  env?: Record<string, string>;
  headers?: Record<string, string>;
  /** Answers to questions about credentials, by the question's id. */
  answers?: Record<string, Answer>;
  agent_options?: JsonObject;
  /** The whole request, where a secret value also occurs elsewhere in it: the agent gets what was asked, not `[redacted]`. */
  whole?: Asked;
}

/** Returns null when there is nothing to hide. `altered` says that secrets were replaced elsewhere in the stored request. */
export function sealSecrets(asked: Asked, altered: boolean, sealer: Sealer): string | null {
  const { spec, context, options } = asked;
  if (secretsIn(asked).length === 0) return null;
  const hasToolSecrets = options.tools !== undefined && secretsOfTools(options.tools).length > 0;
  const values: SealedValues =
    altered || hasToolSecrets
      ? { whole: asked }
      : {
          ...(context.environment && { environment: context.environment }),
          ...(spec.env && { env: spec.env }),
          ...(spec.headers && { headers: spec.headers }),
          ...(secretsOfOptions(spec.options).length > 0 && { agent_options: spec.options }),
        };
  return sealer.seal(JSON.stringify(values));
}

/** Returns the sealed values with an answer that holds credentials; undefined when they were sealed with another key. */
export function sealAnswer(
  sealed: string | null,
  questionId: string,
  answer: Answer,
  sealer: Sealer,
): string | undefined {
  const opened = sealed === null ? "{}" : sealer.open(sealed);
  if (opened === undefined) return undefined;
  const values = JSON.parse(opened) as SealedValues;
  return sealer.seal(JSON.stringify({ ...values, answers: { ...values.answers, [questionId]: answer } }));
}

/** Returns the answer as it was given. */
export function openAnswer(sealed: string | null, questionId: string, sealer: Sealer): Answer | undefined {
  const opened = sealed === null ? undefined : sealer.open(sealed);
  return opened === undefined ? undefined : (JSON.parse(opened) as SealedValues).answers?.[questionId];
}

/** Returns every text in the answers about credentials. */
export function secretsOfAnswers(sealed: string | null, sealer: Sealer): Secret[] {
  const opened = sealed === null ? undefined : sealer.open(sealed);
  const { answers = {} } = opened === undefined ? {} : (JSON.parse(opened) as SealedValues);
  return Object.entries(answers).flatMap(([id, answer]) => secretsOfAnswer(id, answer));
}

export function secretsOfAnswer(questionId: string, { parts = [], data }: Answer): Secret[] {
  const texts = [...parts.map((part) => (part.kind === "text" ? part.text : "")), ...textsIn(data)];
  return texts.filter((value) => value !== "").map((value) => ({ name: `answer-${questionId}`, value }));
}

function textsIn(value: Json | undefined): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** Returns the request with its secrets; undefined when they were sealed with a key that is gone. */
export function openSecrets(
  { spec, run, sealed }: Pick<ClaimedRun, "spec" | "run" | "sealed">,
  sealer: Sealer,
): Asked | undefined {
  const { task, context, metadata, options } = run;
  if (sealed === null) return { spec, task, context, metadata, options };
  const opened = sealer.open(sealed);
  if (opened === undefined) return undefined;
  // The sealer authenticates: this is what sealSecrets wrote.
  const { whole, environment, env, headers, agent_options } = JSON.parse(opened) as SealedValues;
  return (
    whole ?? {
      spec: {
        ...spec,
        ...(env && { env }),
        ...(headers && { headers }),
        ...(agent_options && { options: agent_options }),
      },
      task,
      context: { ...context, ...(environment && { environment }) },
      metadata,
      options,
    }
  );
}
