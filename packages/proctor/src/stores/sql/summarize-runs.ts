// What the runs of a stretch of time come to. Read from indexes alone, but for a sample of the newest: a hundred thousand runs cost little.
import { sql } from "kysely";
import type { RunsBucket, RunsSummary } from "../../core/ports/store.ts";
import type { createCountRuns } from "./list-runs.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

type SummarizeRuns = (connection: Connection, sinceMs: number, bucketMs: number) => Promise<RunsSummary>;

/** Number of newest runs whose durations are read. */
const SAMPLE = 2000;

export function createSummarizeRuns(
  { builder }: SqlDialect,
  countRuns: ReturnType<typeof createCountRuns>,
): SummarizeRuns {
  // A parameter may arrive as a floating-point number, and the quotient would be one.
  const bucketOf = (bucketMs: number) => sql<number>`created_at / cast(${bucketMs} as integer)`;
  const counted = template(({ since, bucketMs }: { since: number; bucketMs: number }) =>
    builder
      .selectFrom(
        builder
          .selectFrom("runs")
          .select(bucketOf(bucketMs).as("bucket"))
          .where("created_at", ">=", since)
          .as("recent"),
      )
      .select((eb) => ["bucket", eb.fn.countAll().as("runs")])
      .groupBy("bucket")
      .orderBy("bucket"),
  );
  const spent = template(({ since, bucketMs }: { since: number; bucketMs: number }) =>
    builder
      .selectFrom(
        builder
          .selectFrom("runs")
          .select([bucketOf(bucketMs).as("bucket"), "cost_usd"])
          .where("created_at", ">=", since)
          .where("cost_usd", "is not", null)
          .as("recent"),
      )
      .select((eb) => ["bucket", eb.fn.sum("cost_usd").as("cost_usd")])
      .groupBy("bucket"),
  );
  const newest = template(({ since, limit }: { since: number; limit: number }) =>
    builder
      .selectFrom("runs")
      .select(["created_at", "started_at", "ended_at"])
      .where("created_at", ">=", since)
      .orderBy("created_at", "desc")
      .orderBy("ordinal", "desc")
      .limit(limit),
  );

  return async (connection, since, bucketMs) => {
    const statuses = await countRuns(connection);
    const costs = new Map(
      (await connection.all(spent({ since, bucketMs }))).map((row) => [
        row.bucket,
        Number(row.cost_usd ?? 0),
      ]),
    );
    const counts = await connection.all(counted({ since, bucketMs }));
    const took = (await connection.all(newest({ since, limit: SAMPLE }))).flatMap(
      ({ created_at, started_at, ended_at }) =>
        started_at === null || ended_at === null
          ? []
          : { bucket: Math.floor(created_at / bucketMs), ms: Math.max(0, ended_at - started_at) },
    );
    const buckets: RunsBucket[] = counts.map(({ bucket, runs }) => ({
      at: bucket * bucketMs,
      runs: Number(runs),
      cost_usd: costs.get(bucket) ?? 0,
      duration_ms: atShare(ascending(took.filter((run) => run.bucket === bucket)), 0.5),
    }));
    const durations = ascending(took);
    return {
      statuses,
      runs: buckets.reduce((sum, { runs }) => sum + runs, 0),
      cost_usd: buckets.reduce((sum, { cost_usd }) => sum + cost_usd, 0),
      duration_ms: { runs: durations.length, p50: atShare(durations, 0.5), p95: atShare(durations, 0.95) },
      buckets,
    };
  };
}

function ascending(took: readonly { ms: number }[]): number[] {
  return took.map(({ ms }) => ms).sort((a, b) => a - b);
}

/** Returns the value that this share of them does not exceed. */
function atShare(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}
