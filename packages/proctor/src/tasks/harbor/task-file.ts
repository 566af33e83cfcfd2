// `task.toml` of Harbor and Terminal-Bench 2, as far as a task can say something in it. What we cannot do is refused by
// refusals.ts; a key that is not here is a mistake.
import { z } from "zod";

const seconds = z.number().positive();
const path = z.string().regex(/^\//, "must be absolute");
const variables = z.record(z.string(), z.string());
const network = {
  network_mode: z.enum(["public", "no-network", "allowlist"]).optional(),
  allowed_hosts: z.array(z.string().min(1)).optional(),
};
const size = z.string().regex(/^\d+(?:\.\d+)?\s*[GMK]$/i, 'must be a size like "2G" or "512M"');

const environment = z.strictObject({
  ...network,
  build_timeout_sec: seconds.optional(),
  docker_image: z.string().min(1).optional(),
  os: z.string().optional(),
  cpus: z.number().positive().optional(),
  memory_mb: z.number().positive().optional(),
  memory: size.optional(),
  storage_mb: z.number().positive().optional(),
  storage: size.optional(),
  gpus: z.int().min(0).optional(),
  gpu_types: z.array(z.string()).optional(),
  tpu: z.unknown().optional(),
  mcp_servers: z.array(z.unknown()).optional(),
  env: variables.optional(),
  skills_dir: z.string().optional(),
  healthcheck: z.unknown().optional(),
  workdir: z.string().min(1).optional(),
  allow_internet: z.boolean().optional(),
});

const agent = z.strictObject({
  ...network,
  timeout_sec: seconds.optional(),
  user: z.union([z.string().min(1), z.int().min(0)]).optional(),
});

const verifier = z.strictObject({
  ...network,
  timeout_sec: seconds.optional(),
  env: variables.optional(),
  user: z.union([z.string().min(1), z.int().min(0)]).optional(),
  environment_mode: z.enum(["shared", "separate"]).optional(),
  environment: environment.optional(),
  collect: z.unknown().optional(),
  artifacts: z.unknown().optional(),
});

export const taskFile = z.strictObject({
  version: z.string().optional(),
  schema_version: z.string().optional(),
  source: z.unknown().optional(),
  artifacts: z.array(z.union([path, z.strictObject({ source: path })])).optional(),
  task: z
    .strictObject({
      name: z.string().min(1),
      description: z.string().optional(),
      version: z.string().optional(),
      authors: z.array(z.unknown()).optional(),
      keywords: z.array(z.string()).optional(),
    })
    .optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  verifier: verifier.optional(),
  agent: agent.optional(),
  environment: environment.optional(),
  solution: z.strictObject({ env: variables.optional() }).optional(),
  steps: z.array(z.unknown()).optional(),
  multi_step_reward_strategy: z.unknown().optional(),
});

export type TaskFile = z.output<typeof taskFile>;
