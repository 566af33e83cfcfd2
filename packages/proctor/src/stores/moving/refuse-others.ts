// Refuses to move while another process of Proctor's is connected to the PostgreSQL database: a hub, a worker, a command, another move.
// What it wrote after its table was copied would be lost. For SQLite, the lock of the data directory serves the same purpose.
import { ProctorError } from "../../core/errors.ts";
import { never } from "../../runtime/time/never.ts";
import { pause } from "../../runtime/time/pause.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import type { MovingDatabase } from "./moving-database.ts";

/** Milliseconds after which the server has noticed that a process was killed. */
const LEAVE_MS = 5000;
const LOOK_MS = 100;

const OTHERS = `select count(*)::int as total from pg_stat_activity
  where datname = current_database() and application_name = 'proctor' and pid <> pg_backend_pid()`;

export async function refuseOthers(
  database: MovingDatabase,
  leaveMs = LEAVE_MS,
  signal: AbortSignal = never,
): Promise<void> {
  if (database.kind === "sqlite") return;
  for (let leftMs = leaveMs; ; leftMs -= LOOK_MS) {
    const [others] = await database.all(OTHERS);
    if (others?.["total"] === 0) return;
    if (leftMs <= 0) throw atWork(database.where, Number(others?.["total"]));
    await pause(systemClock, LOOK_MS, signal);
  }
}

function atWork(where: string, connections: number): ProctorError {
  return new ProctorError(
    "ILLEGAL_TRANSITION",
    `another process of Proctor's is connected to ${where} (${connections} connections)\n` +
      "Stop all hubs, workers and commands that use it, and start the move again.",
  );
}
