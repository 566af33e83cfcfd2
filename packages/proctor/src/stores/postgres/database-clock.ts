// The time that all processes of a database agree on: that of its server. Leases, delays and expiries are written by one machine and compared by
// another, whose clock may be minutes off.
import type { Clock } from "../../core/ports/clock.ts";
import { connectAlone } from "./connect.ts";
import { mapPostgresErrors } from "./postgres-errors.ts";

export interface DatabaseClock extends Clock {
  close(): Promise<void>;
}

/** Milliseconds between two measurements of the difference: clocks drift, and are set. */
const MEASURE_MS = 60_000;
/** Milliseconds of difference that an operator should know of. */
const REMARK_MS = 5000;
const NOW = "select (extract(epoch from clock_timestamp()) * 1000)::float8 as now";

/** Opens the clock. `report` is called only for a difference that matters: a database that is away is reported by all who need it. */
export async function openDatabaseClock(options: {
  url: string;
  local: Clock;
  report: (remark: string) => void;
}): Promise<DatabaseClock> {
  const { url, local, report } = options;
  let offsetMs = 0;
  let remarked = false;
  let closed = false;
  let measuring: Promise<void> = Promise.resolve();

  async function measure(): Promise<void> {
    const client = await connectAlone(url);
    try {
      const before = local.now();
      const { rows } = await client.query<{ now: number }>(NOW);
      const after = local.now();
      offsetMs = leastOffset(rows[0]?.now ?? before, before, after);
    } finally {
      await client.end().catch(() => undefined);
    }
    if (remarked || Math.abs(offsetMs) < REMARK_MS) return;
    remarked = true;
    const way = offsetMs > 0 ? "behind" : "ahead of";
    const seconds = Math.round(Math.abs(offsetMs) / 1000);
    report(
      `the clock of this machine is ${seconds} s ${way} that of the database, whose time is used instead; set the clock (NTP)`,
    );
  }

  await measure().catch((error: unknown) => {
    throw mapPostgresErrors(url)(error);
  });
  const timer = setInterval(() => {
    // The last measurement still holds.
    measuring = measuring.then(() => (closed ? undefined : measure())).catch(() => undefined);
  }, MEASURE_MS);
  timer.unref();
  return {
    now: () => local.now() + offsetMs,
    after: (delayMs, callback) => local.after(delayMs, callback),
    async close() {
      closed = true;
      clearInterval(timer);
      await measuring;
    },
  };
}

/** Returns the smallest difference that the answer allows: the server read its clock at some time between question and answer. */
export function leastOffset(server: number, before: number, after: number): number {
  if (server > after) return Math.round(server - after);
  return server < before ? Math.round(server - before) : 0;
}
