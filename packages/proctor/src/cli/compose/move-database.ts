// What `proctor migrate` does: a database of one kind into one of the other, and its bytes if they are to go along.
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import type { BlobStore } from "../../core/ports/blob-store.ts";
import { acquireLock, lockFileOf } from "../../hub/hub-lock.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import { checkSeal } from "../../stores/check-seal.ts";
import { openFileBlobs } from "../../stores/blobs/file-blobs.ts";
import { copyBlobs, type CopiedBlobs } from "../../stores/moving/copy-blobs.ts";
import {
  moveDatabase as move,
  type MoveProgress,
  type MoveResult,
} from "../../stores/moving/move-database.ts";
import { openPostgres } from "../../stores/moving/open-postgres.ts";
import { openSqlite } from "../../stores/moving/open-sqlite.ts";
import { openKeyFile } from "../../stores/key-file.ts";
import { openPostgresStore } from "../../stores/postgres/open-store.ts";
import { createSealer } from "../../stores/sealer.ts";
import { openBlobs } from "./open-blobs.ts";
import { moveSubscriptions } from "./move-subscriptions.ts";
import type { Config } from "../config/load-config.ts";

export type MoveDirection = "sqlite-to-postgres" | "postgres-to-sqlite";

export interface MoveRequest {
  direction: MoveDirection;
  /** Absolute path of the SQLite file. */
  file: string;
  url: string;
  /** Whether bytes move too: between the artifacts directory, which SQLite uses, and the bucket, which PostgreSQL uses. */
  blobs: boolean;
  onProgress: (progress: MoveProgress) => void;
  signal: AbortSignal;
}

export interface Moved extends MoveResult {
  /** Number of receivers of webhooks that were moved. */
  webhooks: number;
  blobs?: CopiedBlobs;
}

/** Moves the database. Throws what stores throw, and USAGE or CONFIG_INVALID for a request that cannot be carried out. */
export async function moveDatabase(
  { bucket, artifactsDir }: Pick<Config, "bucket" | "artifactsDir">,
  request: MoveRequest,
): Promise<Moved> {
  const { direction, file, url, onProgress, signal } = request;
  if (!/^postgres(?:ql)?:\/\//.test(url))
    throw new ProctorError(
      "USAGE",
      "the PostgreSQL database must be an address like postgres://user@host/database",
    );
  if (request.blobs && bucket === undefined)
    throw new ProctorError("CONFIG_INVALID", "--blobs needs the bucket beside PostgreSQL\nset ARTIFACTS_URL");
  const fromSqlite = direction === "sqlite-to-postgres";
  if (fromSqlite && !existsSync(file))
    throw new ProctorError("FILE_UNREADABLE", `there is no database ${file}`);
  const lock = await acquireLock(lockFileOf(resolve(file)), { command: `proctor migrate ${direction}` });
  try {
    const sqlite = await openSqlite(file);
    const postgres = await openPostgres(url).catch(async (error: unknown) => {
      await sqlite.close();
      throw error;
    });
    try {
      const [source, target] = fromSqlite ? [sqlite, postgres] : [postgres, sqlite];
      let blobs: CopiedBlobs | undefined;
      let webhooks = 0;
      // This comes before the target counts as complete: a move that is killed here is continued here.
      const bringRest = async (): Promise<void> => {
        webhooks = await moveSubscriptions(source, target, join(dirname(file), "webhooks"));
        if (!request.blobs || bucket === undefined) return;
        blobs = await withBucket(url, bucket, async (remote) => {
          const disk = await openFileBlobs(artifactsDir);
          const [from, to] = fromSqlite ? [disk, remote] : [remote, disk];
          const onCopied = (done: number): void => onProgress({ step: "blobs", done, total: done });
          return copyBlobs(target, from, to, { onCopied, signal });
        });
      };
      const result = await move(source, target, { onProgress, signal, bringRest });
      if (fromSqlite) await keepSealCheck(join(dirname(file), "seal.key"), url);
      return { ...result, webhooks, ...(blobs && { blobs }) };
    } finally {
      await postgres.close();
      await sqlite.close();
    }
  } finally {
    await lock.release();
  }
}

/** Lets hubs on the target find out when their key is not the one with which the moved secrets are sealed. */
async function keepSealCheck(keyFile: string, url: string): Promise<void> {
  if (!existsSync(keyFile)) return;
  const store = await openPostgresStore({ url });
  try {
    if ((await store.facts.read("seal_check")) !== undefined) return;
    await checkSeal(store.facts, createSealer(await openKeyFile(keyFile)), "the database");
  } finally {
    await store.close();
  }
}

/** Opens the bucket, whose marks are rows of the database that uses it. */
async function withBucket<T>(
  url: string,
  bucket: NonNullable<Config["bucket"]>,
  work: (blobs: BlobStore) => Promise<T>,
): Promise<T> {
  const store = await openPostgresStore({ url });
  try {
    return await work(await openBlobs({ bucket, artifactsDir: "" }, store, systemClock));
  } finally {
    await store.close();
  }
}
