// Counts which worker carried out how many of the runs that `proctor test` made.
import type { OnRun } from "../../../suites/run/attempt.ts";
import type { CliIo } from "../../cli-io.ts";

interface WorkerCount {
  onRun: OnRun;
  /** Prints the counts, the busiest first, on standard error: standard output may be for a report. */
  print(): void;
}

/** Number of events that are read of a run: it starts within its first ones. */
const FIRST_EVENTS = 10;

export function countWorkers(io: Pick<CliIo, "stderr">): WorkerCount {
  const counts = new Map<string, number>();
  return {
    async onRun({ run, hub }) {
      const events = await hub.events(run.id, { limit: FIRST_EVENTS });
      const started = events.find((event) => event.type === "run.started");
      const worker = started === undefined ? "not started" : started.payload.worker;
      counts.set(worker, (counts.get(worker) ?? 0) + 1);
    },
    print() {
      const rows = [...counts].sort(([, a], [, b]) => b - a);
      const width = Math.max(0, ...rows.map(([worker]) => worker.length));
      for (const [worker, runs] of rows)
        io.stderr.write(`${worker.padEnd(width)}  ${runs === 1 ? "1 run" : `${runs} runs`}\n`);
    },
  };
}
