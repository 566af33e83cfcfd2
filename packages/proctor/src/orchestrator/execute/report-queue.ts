// What a goal's session reports, in order, to its reader. A writer that is too fast waits.
import type { AgentReport } from "../../core/ports/driver.ts";

export interface ReportQueue extends AsyncIterable<AgentReport> {
  /** Resolves when there is room for more. */
  push(report: AgentReport): Promise<void>;
  /** Ends the queue after the reports that were pushed. */
  end(): void;
}

const ROOM = 1000;

export function createReportQueue(): ReportQueue {
  const reports: AgentReport[] = [];
  let isOver = false;
  let wakeReader = (): void => undefined;
  const writers: (() => void)[] = [];

  async function* read(): AsyncGenerator<AgentReport> {
    for (;;) {
      const batch = reports.splice(0);
      for (const release of writers.splice(0)) release();
      yield* batch;
      if (reports.length > 0) continue;
      if (isOver) return;
      await new Promise<void>((resolve) => (wakeReader = resolve));
    }
  }

  return {
    async push(report) {
      if (isOver) return;
      reports.push(report);
      wakeReader();
      if (reports.length > ROOM) await new Promise<void>((resolve) => writers.push(resolve));
    },
    end() {
      isOver = true;
      wakeReader();
      for (const release of writers.splice(0)) release();
    },
    [Symbol.asyncIterator]: read,
  };
}
