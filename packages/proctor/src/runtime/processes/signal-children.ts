// Signals the processes that a process started, wherever they are in the tree below it, but not the process itself.
import { listProcesses, RESOLUTION_MS } from "./process-table.ts";
import type { ProcessRow } from "./process-table.ts";
import { sendSignal } from "./signal.ts";

/** Signals processes that were started after `since` (epoch milliseconds), and resolves with their number. */
export async function signalChildren(pid: number, signal: NodeJS.Signals, since: number): Promise<number> {
  const rows = await listProcesses();
  const found = startedBy(pid, rows).filter((row) => row.startedAt + RESOLUTION_MS >= since && !row.ended);
  return found.filter((row) => sendSignal(row.pid, signal)).length;
}

/** Returns the descendants of a process, and those whose parent is gone but who stayed in its group or session. */
export function startedBy(pid: number, rows: readonly ProcessRow[]): ProcessRow[] {
  // Everything on the machine was started by the first process, and by none.
  if (!(pid > 1)) return [];
  const children = new Map<number, ProcessRow[]>();
  for (const row of rows) {
    const siblings = children.get(row.parent);
    if (siblings === undefined) children.set(row.parent, [row]);
    else siblings.push(row);
  }
  const found = new Map<number, ProcessRow>();
  const open = rows.filter((row) => row.parent === pid || row.group === pid || row.session === pid);
  for (let row = open.pop(); row !== undefined; row = open.pop()) {
    if (row.pid === pid || row.pid === process.pid || found.has(row.pid)) continue;
    found.set(row.pid, row);
    open.push(...(children.get(row.pid) ?? []));
  }
  return [...found.values()];
}
