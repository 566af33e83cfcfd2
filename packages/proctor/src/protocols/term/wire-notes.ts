// The messages of a recorded run in the order in which they travelled, among the reports.
import type { ProcessOutput } from "../../channels/process/open-process.ts";
import type { Job } from "../../core/ports/driver.ts";
import { createWireTap } from "../wire-tap.ts";
import type { ReportQueue } from "./report-queue.ts";

export interface WireNotes {
  sent(line: string): void;
  received(output: ProcessOutput): void;
  /** Notes how and why the platform ended the agent. */
  closed(name: "cancel" | "kill" | "lingered" | "agent_response"): void;
}

/** Returns undefined where the run is not recorded. */
export function createWireNotes(job: Job, reports: ReportQueue): WireNotes | undefined {
  const tap = createWireTap(job);
  if (tap === undefined) return undefined;

  function flush(): void {
    for (const message of tap?.take() ?? []) reports.push(message);
  }

  return {
    sent(line) {
      tap.sent("stdin", line);
      flush();
    },
    received(output) {
      if (output.kind === "line") {
        tap.received(output.stream, output.text, {
          ...(output.invalidUtf8 && { encoding: "lossy" }),
          ...(!output.terminated && { name: "unterminated" }),
        });
      } else if (output.kind === "overlong") {
        tap.received(output.stream, output.head, { dropped_bytes: output.droppedBytes });
      } else if (output.kind === "not-started") {
        tap.received("close", output.message, { name: output.kind, id: output.reason });
      } else if (output.kind === "closed" && output.stream === "stdout") {
        tap.received("close", "", { name: "stdout" });
      }
      flush();
    },
    closed(name) {
      tap.sent("close", "", { name });
      flush();
    },
  };
}
