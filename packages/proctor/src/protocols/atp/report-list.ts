// Collects what one read of an agent's pipes amounts to. Neighbouring log lines of one stream become one log event, so
// that a talkative agent costs little.
import type { Violation } from "../../core/event.ts";
import type { AgentEventDraft, AgentReport } from "../../core/ports/driver.ts";

export type Stream = "stdout" | "stderr" | "message";

export interface ReportList {
  list: AgentReport[];
  event(event: AgentEventDraft): void;
  violation(violation: Violation): void;
  log(stream: Stream, text: string, droppedBytes?: number): void;
}

export function createReportList(): ReportList {
  const list: AgentReport[] = [];
  let last: { stream: Stream; text: string; dropped_bytes?: number } | undefined;

  function event(draft: AgentEventDraft): void {
    last = undefined;
    list.push({ kind: "event", event: draft });
  }

  return {
    list,
    event,
    violation: (violation) => event({ type: "violation", payload: violation }),
    log(stream, text, droppedBytes = 0) {
      if (last?.stream === stream && last.dropped_bytes === undefined && droppedBytes === 0) {
        last.text += `\n${text}`;
        return;
      }
      const payload = { stream, text, ...(droppedBytes > 0 && { dropped_bytes: droppedBytes }) };
      event({ type: "log", payload });
      last = payload;
    },
  };
}
