// The clock of a hub in this process: its own, or that of the database that it shares with others.
import type { Clock } from "../../core/ports/clock.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import type { Config } from "../config/load-config.ts";

export interface OpenClock extends Clock {
  close(): Promise<void>;
}

/** Opens the clock, before anything else: throws what stores throw, and makes the tables where they are missing. */
export async function openClock(
  { databaseUrl: url }: Pick<Config, "databaseUrl">,
  report: (problem: unknown, runId: string) => void,
): Promise<OpenClock> {
  if (url === undefined) return { ...systemClock, close: () => Promise.resolve() };
  const { prepareShared } = await import("../../stores/postgres/prepare-shared.ts");
  const { openDatabaseClock } = await import("../../stores/postgres/database-clock.ts");
  await prepareShared(url);
  return openDatabaseClock({ url, local: systemClock, report: (remark) => report(remark, "") });
}
