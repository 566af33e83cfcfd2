// Finds and kills the programs of an environment by a variable that they inherit wherever they go: into another group or session, or to
// another parent. On Linux; elsewhere only those are found that stayed below what we started.
import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { readProcess } from "../process/process-table.ts";
import { sendSignal } from "../process/signal.ts";

export const MARK_VARIABLE = "PROCTOR_ENVIRONMENT";

/** One that does not die of SIGKILL hangs in the kernel; waiting longer would not help. */
const PATIENCE_MS = 3000;
/** On a busy machine a program may be this long in the middle of being started, and shows no variables meanwhile. */
const STARTING_MS = 250;

/** Kills until nobody is found: a program can start another while it is being killed. Resolves with their number. */
export async function killMarked(mark: string): Promise<number> {
  if (process.platform !== "linux") return 0;
  const killed = new Set<number>();
  const startedAt = performance.now();
  for (let round = 0; ; round++) {
    const { pids, starting } = findMarked(mark);
    for (const pid of pids) {
      sendSignal(pid, "SIGKILL");
      killed.add(pid);
    }
    const elapsed = performance.now() - startedAt;
    const settled = !starting || elapsed > STARTING_MS;
    // One that is dying shows its mark no more, and is not gone yet.
    if (pids.length === 0 && settled && [...killed].every(hasEnded)) return killed.size;
    if (elapsed > PATIENCE_MS) return killed.size;
    await delay(Math.min(2 ** round, 50));
  }
}

export function findMarked(mark: string): { pids: number[]; starting: boolean } {
  const needle = `\0${MARK_VARIABLE}=${mark}\0`;
  const pids: number[] = [];
  let starting = false;
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!(pid > 0) || pid === process.pid) continue;
    const variables = readVariables(pid);
    if (variables === undefined) continue;
    if (`\0${variables}\0`.includes(needle)) pids.push(pid);
    else if (variables === "") starting ||= isStarting(pid);
  }
  return { pids, starting };
}

function readVariables(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return undefined;
  }
}

/** Neither a part of the kernel nor on its way out. */
function isStarting(pid: number): boolean {
  const row = readProcess(pid);
  return row !== undefined && !row.ended && row.parent !== 2 && pid !== 2;
}

function hasEnded(pid: number): boolean {
  return readProcess(pid)?.ended ?? true;
}
