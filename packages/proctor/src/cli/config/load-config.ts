// The settings of Proctor: flags before the environment before proctor.yaml before defaults. A wrong value is an error that
// names its source.
import { dirname, join, resolve } from "node:path";
import { DEFAULT_ARTIFACT_LIMITS, MAX_ARTIFACTS, type ArtifactLimits } from "../../core/artifact.ts";
import { ProctorError } from "../../core/errors.ts";
import type { NewAgent } from "../../core/ports/hub.ts";
import { exists } from "../../runtime/files/exists.ts";
import { readA2a, type A2aConfig } from "./a2a-config.ts";
import type { ConfigFile } from "./config-file.ts";
import { readGateway, type GatewayConfig } from "./gateway-config.ts";
import { readBucket, type BucketConfig } from "./read-bucket.ts";
import { readJudge } from "./read-judge.ts";
import type { JudgeConfig } from "./read-judge.ts";
import { readLlm } from "./read-llm.ts";
import type { LlmConfig } from "./read-llm.ts";
import { readSealKeys } from "./read-seal-keys.ts";
import {
  BUILD_NETWORKS,
  LOG_LEVELS,
  parseChoice,
  parseDatabaseUrl,
  parseHost,
  parseHostAndPort,
  parseHosts,
  parseHubUrl,
  parseLabels,
  parseInteger,
  parseMegabytes,
  parseNumber,
  toBytes,
  parseOrigins,
  parseYesOrNo,
} from "./parse-values.ts";
import type { BuildNetwork, LogLevel, Parse } from "./parse-values.ts";

export interface Config {
  apiHost: string;
  apiPort: number;
  /** Origins of web pages that may use the hub from a browser; `*` for all. */
  allowedOrigins: string[];
  /** Port of the gRPC surface, which is off when absent. */
  grpcPort?: number;
  /** `host:port` at which clients reach the gRPC port, where it differs from that. */
  grpcPublicAddress?: string;
  /** File with the private key that signs the cards of agents. When absent, they are not signed. */
  cardKeyFile?: string;
  /** Address at which agents reach the hub, where it differs from the one it listens on. */
  publicUrl?: string;
  /** Hosts besides this machine to which calls of tools may be forwarded. */
  toolHosts: string[];
  /** Private hosts that webhooks may reach. */
  webhookHosts: string[];
  /** Private hosts at which agents that register may be. */
  agentHosts: string[];
  /** Seconds between two probes of an agent; 0 where agents are not probed. */
  probeSeconds: number;
  artifactsDir: string;
  /** Bucket that holds the bytes of artifacts. When absent, `artifactsDir` does. */
  bucket?: BucketConfig;
  /** Keys of secrets: the first seals, all open. When absent, the data directory has one. */
  sealKeys?: readonly Buffer[];
  /** Agent for tasks that name none. When absent, clients do the work of such tasks. */
  defaultAgent?: string;
  /** Directory of the workspaces that clients name for their tasks. */
  workspacesDir: string;
  /** Whether clients may know the paths of files on this machine. */
  exposeUri: boolean;
  /** Whether files that agents make or change in the workspaces of tasks become artifacts. */
  collectFiles: boolean;
  /** File of the database. With a database elsewhere, only its directory is used. */
  databaseFile: string;
  /** Address of the PostgreSQL database that holds the store. When absent, it is in the file. */
  databaseUrl?: string;
  /** Directory of the database, which also holds its lock, its secrets and its results. */
  dataDir: string;
  hubUrl?: string;
  /** Tokens that a hub accepts. A client sends the first. */
  tokens: string[];
  concurrency: number;
  agentConcurrency: number;
  /** Labels of what this machine has and runs may require. */
  labels: string[];
  graceMs: number;
  /** Limits of what a run keeps of its agent's files. */
  artifactLimits: ArtifactLimits;
  /** Limits of envelopes and of the inboxes that they wait in. */
  messageLimits: { envelopeBytes: number; count: number; bytes: number };
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
  /** How the hub's agents answer clients of A2A. */
  a2a?: A2aConfig;
}

/** The flag and the environment variable of each setting that has them. */
const SOURCES = {
  port: ["--port", "API_PORT"],
  host: ["--host", "API_HOST"],
  allowedOrigins: ["--allowed-origins", "PROCTOR_ALLOWED_ORIGINS"],
  grpcPort: ["--grpc-port", "GRPC_PORT"],
  grpcPublicAddress: ["--grpc-public-address", "PROCTOR_GRPC_PUBLIC_ADDRESS"],
  cardKey: ["--card-key", "PROCTOR_CARD_KEY"],
  publicUrl: ["--public-url", "PROCTOR_PUBLIC_URL"],
  toolHosts: ["--tool-hosts", "PROCTOR_TOOL_HOSTS"],
  webhookHosts: ["--webhook-hosts", "PROCTOR_WEBHOOK_HOSTS"],
  agentHosts: ["--agent-hosts", "PROCTOR_AGENT_HOSTS"],
  probeSeconds: ["--probe-seconds", "PROCTOR_PROBE_SECONDS"],
  artifactsDir: ["--artifacts", "ARTIFACTS_DIR"],
  defaultAgent: ["--default-agent", "PROCTOR_DEFAULT_AGENT"],
  workspacesDir: ["--workspaces", "PROCTOR_WORKSPACES_DIR"],
  exposeUri: ["--expose-uri", "PROCTOR_EXPOSE_URI"],
  collectFiles: ["--collect-files", "PROCTOR_COLLECT_FILES"],
  databaseUrl: ["--database", "DATABASE_URL"],
  hub: ["--hub", "PROCTOR_URL"],
  concurrency: ["--concurrency", "PROCTOR_CONCURRENCY"],
  agentConcurrency: ["--agent-concurrency", "PROCTOR_AGENT_CONCURRENCY"],
  labels: ["--labels", "PROCTOR_LABELS"],
  graceSeconds: ["--grace-seconds", "PROCTOR_GRACE_SECONDS"],
  maxArtifactMb: ["--max-artifact-mb", "PROCTOR_MAX_ARTIFACT_MB"],
  maxRunArtifactsMb: ["--max-run-artifacts-mb", "PROCTOR_MAX_RUN_ARTIFACTS_MB"],
  maxArtifacts: ["--max-artifacts", "PROCTOR_MAX_ARTIFACTS"],
  maxEnvelopeMb: ["--max-envelope-mb", "PROCTOR_MAX_ENVELOPE_MB"],
  maxInbox: ["--max-inbox", "PROCTOR_MAX_INBOX"],
  maxInboxMb: ["--max-inbox-mb", "PROCTOR_MAX_INBOX_MB"],
  log: ["--log", "PROCTOR_LOG"],
  unsafeLocal: ["--unsafe-local", "PROCTOR_UNSAFE_LOCAL"],
  environmentRoot: ["--root", "PROCTOR_ENVIRONMENT_ROOT"],
  buildNetwork: ["--build-network", "PROCTOR_BUILD_NETWORK"],
} as const;

/** Values from the command line: text, or undefined when not given. */
export type ConfigFlags = { [Name in keyof typeof SOURCES | "config"]?: string | undefined };

export interface ConfigSources {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  flags: ConfigFlags;
}

const FILE_NAME = "proctor.yaml";
const MEGABYTE = 1024 * 1024;
const SHARED_AGENT_CONCURRENCY = 10;

export async function loadConfig({ cwd, env, flags }: ConfigSources): Promise<Config> {
  const { file, folder } = await findConfigFile(cwd, env, flags.config);
  const problems: string[] = [];

  /** Returns the value of the first source that has one. The file's value was checked when it was read. */
  function pick<T>(name: keyof typeof SOURCES, fromFile: T | undefined, parse: Parse<T>): T | undefined {
    const [flag, variable] = SOURCES[name];
    // A variable that is set to nothing is how shells and CI systems say "not set".
    const value = flags[name] ?? (env[variable] || undefined);
    if (value === undefined) return fromFile;
    const parsed = parse(value);
    if (parsed.ok) return parsed.value;
    problems.push(`${flags[name] === undefined ? variable : flag}  ${parsed.message}`);
    return undefined;
  }

  const { fileBytes, runBytes, count } = DEFAULT_ARTIFACT_LIMITS;
  const path: Parse<string> = (value) =>
    value === "" ? { ok: false, message: "must not be empty" } : { ok: true, value: resolve(cwd, value) };
  const below = (fromFile: string | undefined): string | undefined => fromFile && resolve(folder, fromFile);
  const anyText: Parse<string> = (value) =>
    value.trim() === "" ? { ok: false, message: "must not be empty" } : { ok: true, value: value.trim() };
  const fromFile = file.database_url === undefined ? undefined : parseDatabaseUrl(file.database_url, folder);

  const concurrency = pick("concurrency", file.concurrency, parseInteger(0, 10_000)) ?? 10;
  const database = pick("databaseUrl", fromFile?.ok ? fromFile.value : undefined, (value) =>
    parseDatabaseUrl(value, cwd),
  );
  const databaseFile = database && "file" in database ? database.file : resolve(cwd, ".proctor/proctor.db");
  const hubUrl = pick("hub", file.hub_url, parseHubUrl);
  const grpcPort = pick("grpcPort", file.grpc_port, parseInteger(0, 65_535));
  const grpcPublicAddress = pick("grpcPublicAddress", file.grpc_public_address, parseHostAndPort);
  const cardKeyFile = pick("cardKey", below(file.card_key), path);
  const publicUrl = pick("publicUrl", file.public_url, parseHubUrl);
  const defaultAgent = pick("defaultAgent", file.default_agent, anyText);
  const environmentRoot = pick("environmentRoot", below(file.environment_root), path);
  const bucket = readBucket({ env, file }, problems);
  const keyFile = env["SEAL_KEY_FILE"] ? resolve(cwd, env["SEAL_KEY_FILE"]) : below(file.seal_key_file);
  const sealKeys = await readSealKeys({ env, keyFile }, problems);
  const judge = readJudge({ env, file }, problems);
  const llm = readLlm({ cwd, folder, env, file }, problems);
  const config: Config = {
    apiHost: pick("host", file.api_host, parseHost) ?? "127.0.0.1",
    apiPort: pick("port", file.api_port, parseInteger(0, 65_535)) ?? 3001,
    allowedOrigins: pick("allowedOrigins", file.allowed_origins, parseOrigins) ?? [],
    ...(grpcPort !== undefined && { grpcPort }),
    ...(grpcPublicAddress !== undefined && { grpcPublicAddress }),
    ...(cardKeyFile !== undefined && { cardKeyFile }),
    ...(publicUrl !== undefined && { publicUrl }),
    toolHosts: pick("toolHosts", file.tool_hosts, parseHosts) ?? [],
    webhookHosts: pick("webhookHosts", file.webhook_hosts, parseHosts) ?? [],
    agentHosts: pick("agentHosts", file.agent_hosts, parseHosts) ?? [],
    probeSeconds: pick("probeSeconds", file.probe_seconds, parseNumber(0, 86_400)) ?? 60,
    artifactsDir: pick("artifactsDir", below(file.artifacts_dir), path) ?? resolve(cwd, "artifacts"),
    ...(bucket && { bucket }),
    ...(sealKeys && { sealKeys }),
    ...(defaultAgent !== undefined && { defaultAgent }),
    workspacesDir:
      pick("workspacesDir", below(file.workspaces_dir), path) ??
      join(dirname(databaseFile), "task-workspaces"),
    exposeUri: pick("exposeUri", file.expose_uri, parseYesOrNo) ?? true,
    collectFiles: pick("collectFiles", file.collect_files, parseYesOrNo) ?? true,
    databaseFile,
    ...(database && "url" in database && { databaseUrl: database.url }),
    dataDir: dirname(databaseFile),
    ...(hubUrl !== undefined && { hubUrl }),
    tokens: parseTokens(env["PROCTOR_TOKEN"] ?? "", problems),
    concurrency,
    agentConcurrency:
      pick("agentConcurrency", file.agent_concurrency, parseInteger(1, 10_000)) ??
      // Processes that share a database must agree, however many runs each of them takes.
      (database && "url" in database ? SHARED_AGENT_CONCURRENCY : Math.max(1, concurrency)),
    labels: pick("labels", file.labels, parseLabels) ?? [],
    graceMs: (pick("graceSeconds", file.grace_seconds, parseNumber(0, 3600)) ?? 5) * 1000,
    artifactLimits: {
      fileBytes: pick("maxArtifactMb", toBytes(file.max_artifact_mb), parseMegabytes) ?? fileBytes,
      runBytes: pick("maxRunArtifactsMb", toBytes(file.max_run_artifacts_mb), parseMegabytes) ?? runBytes,
      count: pick("maxArtifacts", file.max_artifacts, parseInteger(0, MAX_ARTIFACTS)) ?? count,
    },
    messageLimits: {
      envelopeBytes: pick("maxEnvelopeMb", toBytes(file.max_envelope_mb), parseMegabytes) ?? MEGABYTE,
      count: pick("maxInbox", file.max_inbox, parseInteger(1, 1_000_000)) ?? 10_000,
      bytes: pick("maxInboxMb", toBytes(file.max_inbox_mb), parseMegabytes) ?? 64 * MEGABYTE,
    },
    log: pick("log", file.log, parseChoice(LOG_LEVELS)) ?? "info",
    unsafeLocal: pick("unsafeLocal", file.unsafe_local, parseYesOrNo) ?? false,
    ...(environmentRoot !== undefined && { environmentRoot }),
    buildNetwork: pick("buildNetwork", file.build_network, parseChoice(BUILD_NETWORKS)) ?? "none",
    ...(judge && { judge }),
    ...(llm && { llm }),
    agents: file.agents,
    ...(file.gateway && { gateway: readGateway(file.gateway) }),
    ...(file.a2a && { a2a: readA2a(file.a2a) }),
  };
  if (problems.length > 0)
    throw new ProctorError("CONFIG_INVALID", problems.join("\n"), { details: problems });
  return config;
}

async function findConfigFile(
  cwd: string,
  env: ConfigSources["env"],
  flag: string | undefined,
): Promise<{ file: ConfigFile; folder: string }> {
  const path = flag === undefined ? join(cwd, FILE_NAME) : resolve(cwd, flag);
  if (flag === undefined && !(await exists(path))) return { file: { agents: [] }, folder: cwd };
  const { readConfigFile } = await import("./read-config-file.ts");
  return readConfigFile(path, flag ?? FILE_NAME, env);
}

/** Parses the tokens. A problem never shows a token, not even a wrong one. */
function parseTokens(value: string, problems: string[]): string[] {
  const tokens = value.split(",").map((token) => token.trim());
  if (!tokens.every((token) => /^[\u0021-\u007e]*$/.test(token))) {
    problems.push("PROCTOR_TOKEN  a token is made of visible ASCII characters, without spaces");
  }
  return tokens.filter((token) => token !== "");
}
