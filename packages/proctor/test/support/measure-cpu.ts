// What each test file costs in CPU seconds, for whoever wants the suite to cost less: with `PROCTOR_TEST_CPU=<file>` every worker appends a line for
// each test file. Programs that a file started count when they have ended.
import { appendFileSync, readFileSync } from "node:fs";
import { expect } from "vitest";

const TICKS_PER_SECOND = 100;
const ledger = process.env["PROCTOR_TEST_CPU"];

let before = { own: 0, programs: 0 };

/** Called at the end of a test file: notes what this process and its programs have used since the file before. */
export function noteCpu(): void {
  if (ledger === undefined) return;
  const used = usedSeconds();
  const own = round(used.own - before.own);
  const programs = round(used.programs - before.programs);
  before = used;
  const file = expect.getState().testPath;
  appendFileSync(ledger, `${JSON.stringify({ own, programs, file, seconds: round(own + programs) })}\n`);
}

/** User and system time of this process, and of its children that were waited for: proc_pid_stat(5). */
function usedSeconds(): { own: number; programs: number } {
  const fields = readFileSync("/proc/self/stat", "latin1").split(") ")[1]?.split(" ") ?? [];
  const [user = 0, system = 0, programsUser = 0, programsSystem = 0] = fields
    .slice(11, 15)
    .map((ticks) => Number(ticks) / TICKS_PER_SECOND);
  return { own: user + system, programs: programsUser + programsSystem };
}

function round(seconds: number): number {
  return Number(seconds.toFixed(2));
}
