// The settings of Proctor: flags before the environment before proctor.yaml before defaults. A wrong value is an error that
// names its source.
import { dirname, join, resolve } from "node:path";
import { DEFAULT_ARTIFACT_LIMITS, MAX_ARTIFACTS, type ArtifactLimits } from "../../core/artifact.ts";
import { ProctorError } from "../../core/errors.ts";
import type { NewAgent } from "../../core/ports/hub.ts";
import { placeAgent } from "../../suites/agent-entry.ts";
import { exists } from "../../runtime/files/exists.ts";
import { loadYaml } from "../../runtime/yaml/load-yaml.ts";
import { findDuplicates } from "../../suites/relations.ts";
import { configFileSchema } from "./config-file.ts";
import type { ConfigFile } from "./config-file.ts";
import { readGateway, type GatewayConfig } from "./gateway-config.ts";
import { readJudge } from "./read-judge.ts";
import type { JudgeConfig } from "./read-judge.ts";
import { readLlm } from "./read-llm.ts";
import type { LlmConfig } from "./read-llm.ts";
import {
  BUILD_NETWORKS,
  LOG_LEVELS,
  parseChoice,
  parseFileUrl,
  parseHost,
  parseHosts,
  parseHubUrl,
  parseInteger,
  parseMegabytes,
  parseNumber,
  toBytes,
  parseOrigins,
} from "./parse-values.ts";
import type { BuildNetwork, LogLevel, Parse } from "./parse-values.ts";

export interface Config {
  apiHost: string;
  apiPort: number;
  /** Origins of web pages that may use the hub from a browser; `*` for all. */
  allowedOrigins: string[];
  /** Port of the gRPC surface, which is off when absent. */
  grpcPort?: number;
  /** Address at which agents reach the hub, where it differs from the one it listens on. */
  publicUrl?: string;
  /** Hosts beside this machine to which calls of tools may be forwarded. */
  toolHosts: string[];
  /** Private hosts that webhooks may reach. */
  webhookHosts: string[];
  artifactsDir: string;
  /** Agent for tasks that name none. When absent, clients do the work of such tasks. */
  defaultAgent?: string;
  /** Directory of the workspaces that clients name for their tasks. */
  workspacesDir: string;
  /** Whether clients may know the paths of files on this machine. */
  exposeUri: boolean;
  /** Whether files that agents make or change in the workspaces of tasks become artifacts. */
  collectFiles: boolean;
  databaseFile: string;
  /** Directory of the database, which also holds its lock, its secrets and its results. */
  dataDir: string;
  hubUrl?: string;
  /** Tokens that a hub accepts. A client sends the first. */
  tokens: string[];
  concurrency: number;
  agentConcurrency: number;
  graceMs: number;
  /** Limits of what a run keeps of its agent's files. */
  artifactLimits: ArtifactLimits;
  log: LogLevel;
  /** Whether runs may ask for an environment without isolation. */
  unsafeLocal: boolean;
  /** Directory that is the root of environments that name none. When absent, they get this machine's system directories. */
  environmentRoot?: string;
  /** Network that a Dockerfile may reach while it is built. */
  buildNetwork: BuildNetwork;
  /** Model that checks may ask. When absent, they are unevaluated. */
  judge?: JudgeConfig;
  /** Model that agents reach through the hub. When absent, a mock answers. */
  llm?: LlmConfig;
  agents: NewAgent[];
  /** Agents that the hub stands in front of. */
  gateway?: GatewayConfig;
}

/** Values from the command line: text, or undefined when not given. */
export interface ConfigFlags {
  config?: string | undefined;
  port?: string | undefined;
  host?: string | undefined;
  allowedOrigins?: string | undefined;
  grpcPort?: string | undefined;
  publicUrl?: string | undefined;
  toolHosts?: string | undefined;
  webhookHosts?: string | undefined;
  artifactsDir?: string | undefined;
  defaultAgent?: string | undefined;
  workspacesDir?: string | undefined;
  exposeUri?: string | undefined;
  collectFiles?: string | undefined;
  databaseUrl?: string | undefined;
  hub?: string | undefined;
  concurrency?: string | undefined;
  agentConcurrency?: string | undefined;
  graceSeconds?: string | undefined;
  maxArtifactMb?: string | undefined;
  maxRunArtifactsMb?: string | undefined;
  maxArtifacts?: string | undefined;
  log?: string | undefined;
  unsafeLocal?: string | undefined;
  environmentRoot?: string | undefined;
  buildNetwork?: string | undefined;
}

export interface ConfigSources {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  flags: ConfigFlags;
}

const FILE_NAME = "proctor.yaml";

/** The flags as users type them, for messages. */
const FLAG_NAMES: Record<keyof ConfigFlags, string> = {
  config: "--config",
  port: "--port",
  host: "--host",
  allowedOrigins: "--allowed-origins",
  grpcPort: "--grpc-port",
  publicUrl: "--public-url",
  toolHosts: "--tool-hosts",
  webhookHosts: "--webhook-hosts",
  artifactsDir: "--artifacts",
  defaultAgent: "--default-agent",
  workspacesDir: "--workspaces",
  exposeUri: "--expose-uri",
  collectFiles: "--collect-files",
  databaseUrl: "--database",
  hub: "--hub",
  concurrency: "--concurrency",
  agentConcurrency: "--agent-concurrency",
  graceSeconds: "--grace-seconds",
  maxArtifactMb: "--max-artifact-mb",
  maxRunArtifactsMb: "--max-run-artifacts-mb",
  maxArtifacts: "--max-artifacts",
  log: "--log",
  unsafeLocal: "--unsafe-local",
  environmentRoot: "--root",
  buildNetwork: "--build-network",
};

export async function loadConfig({ cwd, env, flags }: ConfigSources): Promise<Config> {
  const { file, folder } = await readConfigFile(cwd, env, flags.config);
  const problems: string[] = [];

  /** Returns the value of the first source that has one. The file's value was checked when it was read. */
  function pick<T>(
    flag: keyof ConfigFlags,
    variable: string,
    fromFile: T | undefined,
    parse: Parse<T>,
  ): T | undefined {
    const sources = [
      [flags[flag], FLAG_NAMES[flag]],
      // A variable that is set to nothing is how shells and CI systems say "not set".
      [env[variable] === "" ? undefined : env[variable], variable],
    ] as const;
    for (const [value, source] of sources) {
      if (value === undefined) continue;
      const parsed = parse(value);
      if (parsed.ok) return parsed.value;
      problems.push(`${source}  ${parsed.message}`);
      return undefined;
    }
    return fromFile;
  }

  const { fileBytes, runBytes, count } = DEFAULT_ARTIFACT_LIMITS;
  const path: Parse<string> = (value) =>
    value === "" ? { ok: false, message: "must not be empty" } : { ok: true, value: resolve(cwd, value) };
  const anyText: Parse<string> = (value) =>
    value.trim() === "" ? { ok: false, message: "must not be empty" } : { ok: true, value: value.trim() };
  const database: Parse<string> = (value) => parseFileUrl(value, cwd);
  const fileDatabase = file.database_url === undefined ? undefined : parseFileUrl(file.database_url, folder);

  const concurrency =
    pick("concurrency", "PROCTOR_CONCURRENCY", file.concurrency, parseInteger(0, 10_000)) ?? 10;
  const databaseFile =
    pick("databaseUrl", "DATABASE_URL", fileDatabase?.ok ? fileDatabase.value : undefined, database) ??
    resolve(cwd, ".proctor/proctor.db");
  const hubUrl = pick("hub", "PROCTOR_URL", file.hub_url, parseHubUrl);
  const grpcPort = pick("grpcPort", "GRPC_PORT", file.grpc_port, parseInteger(0, 65_535));
  const publicUrl = pick("publicUrl", "PROCTOR_PUBLIC_URL", file.public_url, parseHubUrl);
  const defaultAgent = pick("defaultAgent", "PROCTOR_DEFAULT_AGENT", file.default_agent, anyText);
  const environmentRoot = pick(
    "environmentRoot",
    "PROCTOR_ENVIRONMENT_ROOT",
    file.environment_root && resolve(folder, file.environment_root),
    path,
  );
  const judge = readJudge({ env, file }, problems);
  const llm = readLlm({ cwd, folder, env, file }, problems);
  const config: Config = {
    apiHost: pick("host", "API_HOST", file.api_host, parseHost) ?? "127.0.0.1",
    apiPort: pick("port", "API_PORT", file.api_port, parseInteger(0, 65_535)) ?? 3001,
    allowedOrigins:
      pick("allowedOrigins", "PROCTOR_ALLOWED_ORIGINS", file.allowed_origins, parseOrigins) ?? [],
    ...(grpcPort !== undefined && { grpcPort }),
    ...(publicUrl !== undefined && { publicUrl }),
    toolHosts: pick("toolHosts", "PROCTOR_TOOL_HOSTS", file.tool_hosts, parseHosts) ?? [],
    webhookHosts: pick("webhookHosts", "PROCTOR_WEBHOOK_HOSTS", file.webhook_hosts, parseHosts) ?? [],
    artifactsDir:
      pick(
        "artifactsDir",
        "ARTIFACTS_DIR",
        file.artifacts_dir && resolve(folder, file.artifacts_dir),
        path,
      ) ?? resolve(cwd, "artifacts"),
    ...(defaultAgent !== undefined && { defaultAgent }),
    workspacesDir:
      pick(
        "workspacesDir",
        "PROCTOR_WORKSPACES_DIR",
        file.workspaces_dir && resolve(folder, file.workspaces_dir),
        path,
      ) ?? join(dirname(databaseFile), "task-workspaces"),
    exposeUri:
      pick("exposeUri", "PROCTOR_EXPOSE_URI", yesOrNo(file.expose_uri), parseChoice(YES_OR_NO)) !== "false",
    collectFiles:
      pick("collectFiles", "PROCTOR_COLLECT_FILES", yesOrNo(file.collect_files), parseChoice(YES_OR_NO)) !==
      "false",
    databaseFile,
    dataDir: dirname(databaseFile),
    ...(hubUrl !== undefined && { hubUrl }),
    tokens: parseTokens(env["PROCTOR_TOKEN"] ?? "", problems),
    concurrency,
    agentConcurrency:
      pick(
        "agentConcurrency",
        "PROCTOR_AGENT_CONCURRENCY",
        file.agent_concurrency,
        parseInteger(1, 10_000),
      ) ?? Math.max(1, concurrency),
    graceMs:
      (pick("graceSeconds", "PROCTOR_GRACE_SECONDS", file.grace_seconds, parseNumber(0, 3600)) ?? 5) * 1000,
    artifactLimits: {
      fileBytes:
        pick("maxArtifactMb", "PROCTOR_MAX_ARTIFACT_MB", toBytes(file.max_artifact_mb), parseMegabytes) ??
        fileBytes,
      runBytes:
        pick(
          "maxRunArtifactsMb",
          "PROCTOR_MAX_RUN_ARTIFACTS_MB",
          toBytes(file.max_run_artifacts_mb),
          parseMegabytes,
        ) ?? runBytes,
      count:
        pick("maxArtifacts", "PROCTOR_MAX_ARTIFACTS", file.max_artifacts, parseInteger(0, MAX_ARTIFACTS)) ??
        count,
    },
    log: pick("log", "PROCTOR_LOG", file.log, parseChoice(LOG_LEVELS)) ?? "info",
    unsafeLocal:
      pick("unsafeLocal", "PROCTOR_UNSAFE_LOCAL", yesOrNo(file.unsafe_local), parseChoice(YES_OR_NO)) ===
      "true",
    ...(environmentRoot !== undefined && { environmentRoot }),
    buildNetwork:
      pick("buildNetwork", "PROCTOR_BUILD_NETWORK", file.build_network, parseChoice(BUILD_NETWORKS)) ??
      "none",
    ...(judge && { judge }),
    ...(llm && { llm }),
    agents: file.agents.map((agent) => placeAgent(agent, folder)),
    ...(file.gateway && { gateway: readGateway(file.gateway) }),
  };
  if (problems.length > 0)
    throw new ProctorError("CONFIG_INVALID", problems.join("\n"), { details: problems });
  return config;
}

async function readConfigFile(
  cwd: string,
  env: ConfigSources["env"],
  flag: string | undefined,
): Promise<{ file: ConfigFile; folder: string }> {
  const path = flag === undefined ? join(cwd, FILE_NAME) : resolve(cwd, flag);
  if (flag === undefined && !(await exists(path))) return { file: { agents: [] }, folder: cwd };
  const file = await loadYaml(path, configFileSchema, {
    code: "CONFIG_INVALID",
    displayName: flag ?? FILE_NAME,
    variables: env,
    allowEmpty: true,
    relations: (raw) => findDuplicates(raw, "agents", "name", "agent"),
  });
  return { file, folder: dirname(path) };
}

const YES_OR_NO = ["true", "false"] as const;

function yesOrNo(value: boolean | undefined): (typeof YES_OR_NO)[number] | undefined {
  return value === undefined ? undefined : value ? "true" : "false";
}

/** Never shows a token, not even a wrong one. */
function parseTokens(value: string, problems: string[]): string[] {
  const tokens = value.split(",").map((token) => token.trim());
  if (!tokens.every((token) => /^[\u0021-\u007e]*$/.test(token))) {
    problems.push("PROCTOR_TOKEN  a token is made of visible ASCII characters, without spaces");
  }
  return tokens.filter((token) => token !== "");
}
