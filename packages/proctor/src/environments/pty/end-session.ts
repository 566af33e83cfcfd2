// Ends everything in a terminal: its program, the jobs of its shell, and what they started.
import { within } from "../../runtime/processes/end-by-force.ts";
import { listProcesses } from "../../runtime/processes/process-table.ts";
import { startedBy } from "../../runtime/processes/signal-children.ts";
import { sendSignal, signalGroup } from "../../runtime/processes/signal.ts";

/** Milliseconds that a shell whose terminal is gone has to hang up on its jobs; then all are killed. */
const HANGUP_MS = 300;
const KILL_MS = 3000;
const SAME_MS = 100;

/** `pid` is the program in the terminal, which leads its session. */
export async function endSession(pid: number, exited: Promise<unknown>): Promise<void> {
  const before = new Map(startedBy(pid, await listProcesses()).map((row) => [row.pid, row.startedAt]));
  const wasThere = await within(exited, 0);
  if (!wasThere) signalGroup(pid, "SIGHUP");
  for (const one of before.keys()) sendSignal(one, "SIGHUP");
  if (!wasThere && !(await within(exited, HANGUP_MS))) sendSignal(pid, "SIGKILL");
  // Kills what is still in its session, and what was below it and went elsewhere.
  for (const row of await listProcesses()) {
    const known = Math.abs((before.get(row.pid) ?? Number.NEGATIVE_INFINITY) - row.startedAt) < SAME_MS;
    if (row.session === pid || known) sendSignal(row.pid, "SIGKILL");
  }
  await within(exited, KILL_MS);
}
