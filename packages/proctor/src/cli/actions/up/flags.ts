// The flags of `proctor up`. Values stay as they were typed: load-config.ts reads them and says what is wrong with them.
import { flag, MACHINE_FLAGS, type FlagsOf } from "../../flags.ts";

export const UP_FLAGS = [
  flag("--host <address>", "address to listen on (API_HOST, 127.0.0.1)"),
  flag("-p, --port <number>", "port to listen on, 0 for any free one (API_PORT, 3001)"),
  flag(
    "--allowed-origins <origins>",
    "web pages that may use the hub from a browser, with commas (PROCTOR_ALLOWED_ORIGINS)",
  ),
  flag("--grpc-port <number>", "port of the gRPC surface, which is off unless this is given (GRPC_PORT)"),
  flag(
    "--grpc-public-address <host:port>",
    "where clients reach the gRPC port, for the cards of agents (PROCTOR_GRPC_PUBLIC_ADDRESS)",
  ),
  flag("--card-key <file>", "private key that signs the cards of agents, as PEM or JWK (PROCTOR_CARD_KEY)"),
  flag("--public-url <url>", "how agents elsewhere reach this hub (PROCTOR_PUBLIC_URL)"),
  flag("--tool-hosts <hosts>", "hosts that tools may be forwarded to, with commas (PROCTOR_TOOL_HOSTS)"),
  flag(
    "--webhook-hosts <hosts>",
    "private hosts that webhooks may reach, with commas (PROCTOR_WEBHOOK_HOSTS)",
  ),
  flag(
    "--agent-hosts <hosts>",
    "private hosts at which agents that register may be, with commas (PROCTOR_AGENT_HOSTS)",
  ),
  flag(
    "--probe-seconds <n>",
    "how often agents by URL are asked how they are, 0 for never (PROCTOR_PROBE_SECONDS, 60)",
  ),
  flag("--database <url>", "database file (DATABASE_URL, file:./.proctor/proctor.db)"),
  flag("--artifacts <dir>", "where artifacts are kept (ARTIFACTS_DIR, ./artifacts)"),
  flag("--default-agent <agent>", "agent that tasks run on which name none (PROCTOR_DEFAULT_AGENT)"),
  flag("--workspaces <dir>", "where the workspaces are that tasks name (PROCTOR_WORKSPACES_DIR)"),
  flag("--expose-uri <yes>", "true or false: show clients where files stand here (PROCTOR_EXPOSE_URI, true)"),
  flag(
    "--collect-files <yes>",
    "true or false: files that agents leave in the workspaces of tasks become artifacts (PROCTOR_COLLECT_FILES, true)",
  ),
  flag("--concurrency <n>", "how many runs at once, 0 to only queue them (PROCTOR_CONCURRENCY, 10)"),
  flag("--agent-concurrency <n>", "how many runs at once for one agent (PROCTOR_AGENT_CONCURRENCY)"),
  flag("--labels <labels>", "what this machine has and runs may require, with commas (PROCTOR_LABELS)"),
  flag("--grace-seconds <n>", "how long runs may take to end when asked to (PROCTOR_GRACE_SECONDS, 5)"),
  flag("--max-artifact-mb <n>", "megabytes of one artifact of an agent (PROCTOR_MAX_ARTIFACT_MB, 100)"),
  flag(
    "--max-run-artifacts-mb <n>",
    "megabytes of all artifacts of one run (PROCTOR_MAX_RUN_ARTIFACTS_MB, 1024)",
  ),
  flag("--max-artifacts <n>", "how many artifacts one run keeps (PROCTOR_MAX_ARTIFACTS, 1000)"),
  flag("--max-envelope-mb <n>", "megabytes of one envelope (PROCTOR_MAX_ENVELOPE_MB, 1)"),
  flag("--max-inbox <n>", "how many envelopes wait for one receiver (PROCTOR_MAX_INBOX, 10000)"),
  flag("--max-inbox-mb <n>", "megabytes that wait for one receiver (PROCTOR_MAX_INBOX_MB, 64)"),
  flag(
    "--log <level>",
    "info, json or silent: info is one line per run on a terminal, JSON elsewhere (PROCTOR_LOG)",
  ),
  flag("--config <file>", "read this file instead of proctor.yaml"),
  ...MACHINE_FLAGS,
] as const;
export type UpFlags = FlagsOf<typeof UP_FLAGS>;
