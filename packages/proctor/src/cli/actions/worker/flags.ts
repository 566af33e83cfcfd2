// The flags of `proctor worker`. Values stay as they were typed: load-config.ts reads them and says what is wrong with them.
import { flag, MACHINE_FLAGS, type FlagsOf } from "../../flags.ts";

export const WORKER_FLAGS = [
  flag("--concurrency <n>", "how many runs at once (PROCTOR_CONCURRENCY, 10)"),
  flag("--agent-concurrency <n>", "how many runs at once for one agent (PROCTOR_AGENT_CONCURRENCY)"),
  flag("--labels <labels>", "what this machine has and runs may require, with commas (PROCTOR_LABELS)"),
  flag("--drain", "carry out what waits, and end when there is nothing left to do"),
  flag("--hub <url>", "get runs from the hub at this address, in place of a database (PROCTOR_URL)"),
  flag("--allow-http", "take the secrets of runs over http:// from another machine"),
  flag("--database <url>", "the shared database: postgres://user:password@host/database (DATABASE_URL)"),
  flag("--artifacts <dir>", "where artifacts are kept (ARTIFACTS_DIR, ./artifacts)"),
  flag("--grace-seconds <n>", "how long runs may take to end when asked to (PROCTOR_GRACE_SECONDS, 5)"),
  flag("--config <file>", "read this file instead of proctor.yaml"),
  ...MACHINE_FLAGS,
] as const;
export type WorkerFlags = FlagsOf<typeof WORKER_FLAGS>;
