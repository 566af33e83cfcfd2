// proctor.yaml as it is written: the same settings as the environment has, except secrets, plus agents.
import { z } from "zod";
import { MAX_ARTIFACTS } from "../../core/artifact.ts";
import { registeredAgent } from "../../suites/agent-entry.ts";
import { addError, refused } from "../../runtime/yaml/findings.ts";
import { amount, integerUpTo, numberUpTo } from "../../runtime/yaml/scalars.ts";
import { a2aSchema } from "./a2a-config.ts";
import { gatewaySchema } from "./gateway-config.ts";
import { parseBucketUrl } from "./read-bucket.ts";
import { labelsSchema } from "../../runtime/schemas/labels.ts";
import { parseJudgeUrl } from "./read-judge.ts";
import { parseLlmUrl } from "./read-llm.ts";
import {
  BUILD_NETWORKS,
  LOG_LEVELS,
  MAX_MEGABYTES,
  parseDatabaseUrl,
  parseHost,
  parseHostAndPort,
  parseHosts,
  parseHubUrl,
  parseOrigin,
} from "./parse-values.ts";
import type { Parse } from "./parse-values.ts";

const noSecret = (key: string, variable: string): ReturnType<typeof refused> =>
  refused(`"${key}" does not belong in a file`, `set the environment variable ${variable} instead`);

export const configFileSchema = z.strictObject({
  api_port: integerUpTo(0, 65_535).optional(),
  api_host: text("api_host", parseHost).optional(),
  allowed_origins: z.array(text("allowed_origins", parseOrigin)).optional(),
  grpc_port: integerUpTo(0, 65_535).optional(),
  grpc_public_address: text("grpc_public_address", parseHostAndPort).optional(),
  card_key: z.string().min(1).optional(),
  public_url: text("public_url", parseHubUrl).optional(),
  tool_hosts: hosts("tool_hosts").optional(),
  webhook_hosts: hosts("webhook_hosts").optional(),
  agent_hosts: hosts("agent_hosts").optional(),
  probe_seconds: numberUpTo(0, 86_400).optional(),
  artifacts_dir: z.string().min(1).optional(),
  artifacts_url: z
    .string()
    .superRefine((value, context) => {
      const parsed = parseBucketUrl(value);
      if (!parsed.ok) addError(context, `"artifacts_url" ${parsed.message}`);
    })
    .optional(),
  seal_key_file: z.string().min(1).optional(),
  default_agent: z.string().min(1).optional(),
  workspaces_dir: z.string().min(1).optional(),
  expose_uri: z.boolean().optional(),
  collect_files: z.boolean().optional(),
  // The path in it is resolved against the folder of the file later.
  database_url: z
    .string()
    .superRefine(refuse("database_url", (value) => parseDatabaseUrl(value, "/")))
    .optional(),
  hub_url: text("hub_url", parseHubUrl).optional(),
  concurrency: integerUpTo(0, 10_000).optional(),
  agent_concurrency: integerUpTo(1, 10_000).optional(),
  labels: labelsSchema.optional(),
  grace_seconds: numberUpTo(0, 3600).optional(),
  max_artifact_mb: numberUpTo(0, MAX_MEGABYTES).optional(),
  max_run_artifacts_mb: numberUpTo(0, MAX_MEGABYTES).optional(),
  max_artifacts: integerUpTo(0, MAX_ARTIFACTS).optional(),
  max_envelope_mb: numberUpTo(0, MAX_MEGABYTES).optional(),
  max_inbox: integerUpTo(1, 1_000_000).optional(),
  max_inbox_mb: numberUpTo(0, MAX_MEGABYTES).optional(),
  log: z.enum(LOG_LEVELS).optional(),
  unsafe_local: z.boolean().optional(),
  environment_root: z.string().min(1).optional(),
  build_network: z.enum(BUILD_NETWORKS).optional(),
  judge_url: text("judge_url", parseJudgeUrl).optional(),
  judge_model: z.string().min(1).optional(),
  llm_url: text("llm_url", parseLlmUrl).optional(),
  llm_model: z.string().min(1).optional(),
  llm_provider: z.string().min(1).optional(),
  llm_models: z.array(z.string().min(1)).min(1).optional(),
  llm_prices: z.record(z.string(), z.strictObject({ input: amount, output: amount })).optional(),
  llm_script: z.string().min(1).optional(),
  agents: z.array(registeredAgent).default([]),
  gateway: gatewaySchema.optional(),
  a2a: a2aSchema.optional(),
  token: noSecret("token", "PROCTOR_TOKEN"),
  tokens: noSecret("tokens", "PROCTOR_TOKEN"),
  judge_api_key: noSecret("judge_api_key", "PROCTOR_JUDGE_API_KEY"),
  llm_key: noSecret("llm_key", "PROCTOR_LLM_KEY"),
  seal_key: noSecret("seal_key", "SEAL_KEY"),
  s3_access_key_id: noSecret("s3_access_key_id", "S3_ACCESS_KEY_ID"),
  s3_secret_access_key: noSecret("s3_secret_access_key", "S3_SECRET_ACCESS_KEY"),
});

export type ConfigFile = z.output<typeof configFileSchema>;

function hosts(key: string) {
  return z.array(
    z.string().superRefine(
      refuse(key, (value) => {
        const parsed = parseHosts(value);
        return parsed.ok ? { ok: true, value } : parsed;
      }),
    ),
  );
}

function text(key: string, parse: Parse<string>) {
  return z
    .string()
    .superRefine(refuse(key, parse))
    .transform((value) => {
      const parsed = parse(value);
      return parsed.ok ? parsed.value : value;
    });
}

function refuse(key: string, parse: Parse<unknown>): (value: string, context: z.RefinementCtx) => void {
  return (value, context) => {
    const parsed = parse(value);
    if (!parsed.ok) addError(context, `"${key}" ${parsed.message}`);
  };
}
