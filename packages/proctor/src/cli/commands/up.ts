// `proctor up`: the hub.
import type { Command } from "commander";
import type { Execute } from "../context.ts";
import { addMachineOptions } from "../options.ts";

/** As typed: config.ts reads the values and says what is wrong with them. */
export interface UpFlags {
  host?: string;
  allowedOrigins?: string;
  port?: string;
  grpcPort?: string;
  publicUrl?: string;
  toolHosts?: string;
  webhookHosts?: string;
  database?: string;
  artifacts?: string;
  defaultAgent?: string;
  workspaces?: string;
  exposeUri?: string;
  collectFiles?: string;
  concurrency?: string;
  agentConcurrency?: string;
  graceSeconds?: string;
  maxArtifactMb?: string;
  maxRunArtifactsMb?: string;
  maxArtifacts?: string;
  log?: string;
  config?: string;
  root?: string;
  buildNetwork?: string;
  unsafeLocal?: boolean;
}

const EXAMPLES = `
Examples:
  $ proctor up
  $ proctor up --port 8080 --database file:./data/proctor.db
  $ PROCTOR_TOKEN=… proctor up --host 0.0.0.0

Ctrl-C or SIGTERM stops it gracefully; a second Ctrl-C stops it at once.`;

export function defineUp(program: Command, execute: Execute): void {
  const command = program
    .command("up")
    .summary("start the hub")
    .description("Start the hub: the API, live events, metrics and docs on one port.")
    .option("--host <address>", "address to listen on (API_HOST, 127.0.0.1)")
    .option("-p, --port <number>", "port to listen on, 0 for any free one (API_PORT, 3001)")
    .option(
      "--allowed-origins <origins>",
      "web pages that may use the hub from a browser, with commas (PROCTOR_ALLOWED_ORIGINS)",
    )
    .option("--grpc-port <number>", "port of the gRPC surface, which is off unless this is given (GRPC_PORT)")
    .option("--public-url <url>", "how agents elsewhere reach this hub (PROCTOR_PUBLIC_URL)")
    .option("--tool-hosts <hosts>", "hosts that tools may be forwarded to, with commas (PROCTOR_TOOL_HOSTS)")
    .option(
      "--webhook-hosts <hosts>",
      "private hosts that webhooks may reach, with commas (PROCTOR_WEBHOOK_HOSTS)",
    )
    .option("--database <url>", "database file (DATABASE_URL, file:./.proctor/proctor.db)")
    .option("--artifacts <dir>", "where artifacts are kept (ARTIFACTS_DIR, ./artifacts)")
    .option("--default-agent <agent>", "agent that tasks run on which name none (PROCTOR_DEFAULT_AGENT)")
    .option("--workspaces <dir>", "where the workspaces are that tasks name (PROCTOR_WORKSPACES_DIR)")
    .option(
      "--expose-uri <yes>",
      "true or false: show clients where files stand here (PROCTOR_EXPOSE_URI, true)",
    )
    .option(
      "--collect-files <yes>",
      "true or false: files that agents leave in the workspaces of tasks become artifacts (PROCTOR_COLLECT_FILES, true)",
    )
    .option("--concurrency <n>", "how many runs at once, 0 to only queue them (PROCTOR_CONCURRENCY, 10)")
    .option("--agent-concurrency <n>", "how many runs at once for one agent (PROCTOR_AGENT_CONCURRENCY)")
    .option("--grace-seconds <n>", "how long runs may take to end when asked to (PROCTOR_GRACE_SECONDS, 5)")
    .option("--max-artifact-mb <n>", "megabytes of one artifact of an agent (PROCTOR_MAX_ARTIFACT_MB, 100)")
    .option(
      "--max-run-artifacts-mb <n>",
      "megabytes of all artifacts of one run (PROCTOR_MAX_RUN_ARTIFACTS_MB, 1024)",
    )
    .option("--max-artifacts <n>", "how many artifacts one run keeps (PROCTOR_MAX_ARTIFACTS, 1000)")
    .option(
      "--log <level>",
      "info, json or silent: info is one line per run on a terminal, JSON elsewhere (PROCTOR_LOG)",
    )
    .option("--config <file>", "read this file instead of proctor.yaml");
  addMachineOptions(command)
    .addHelpText("after", EXAMPLES)
    .action((flags: UpFlags) =>
      execute(async (context) => (await import("../actions/up/serve-hub.ts")).serveHub(flags, context)),
    );
}
