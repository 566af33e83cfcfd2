// The flags of `proctor migrate`.
import { flag, jsonFlag, type FlagsOf } from "../../flags.ts";

export const MIGRATE_FLAGS = [
  flag("--from <database>", "where the data is: a file for SQLite, postgres://… for PostgreSQL"),
  flag("--to <database>", "where it goes: an empty database, or one that an interrupted move left"),
  flag(
    "--blobs",
    "copy the bytes of artifacts as well, between ARTIFACTS_DIR and the bucket of ARTIFACTS_URL",
  ),
  flag("--config <file>", "read this file instead of proctor.yaml"),
  jsonFlag("{rows, logs, checksum, continued, webhooks, blobs}"),
] as const;
export type MigrateFlags = FlagsOf<typeof MIGRATE_FLAGS>;
