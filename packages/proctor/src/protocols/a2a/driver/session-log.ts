// Reports how to go on with the session whenever that has changed: with the task's id, with every question, with what was reported whole.
import type { AgentReport } from "../../../core/ports/driver.ts";
import type { Connection } from "./connect.ts";
import { sessionReport } from "./continuation.ts";
import type { TaskReader } from "./task-reader.ts";

export interface SessionLog {
  /** Returns the reports that follow these ones. */
  after(reports: readonly AgentReport[]): AgentReport[];
  save(): AgentReport[];
  /** Reports that the session is left; `checks` is the number of times that the task was checked. */
  parked(checks: number): AgentReport;
}

/** Changes that are each saved at once; of an agent that never stops talking only every tenth is, since each costs a commit. */
const AT_ONCE = 50;
const EVERY = 10;
const LASTING: ReadonlySet<AgentReport["kind"]> = new Set(["message", "artifact", "question", "withdrawn"]);

export function createSessionLog(reader: TaskReader, { interface: spoken, streams }: Connection): SessionLog {
  let saved: string | undefined;
  let changes = 0;

  function report(checks?: number): AgentReport {
    saved = idsOf(reader);
    return sessionReport({
      ...reader.state(),
      interface: spoken,
      streams,
      ...(checks !== undefined && { checks }),
    });
  }

  return {
    after(reports) {
      const isKnown = reader.taskId !== undefined || reader.contextId !== undefined;
      if (!isKnown) return [];
      if (saved !== idsOf(reader)) return [report()];
      const lasting = reports.filter(
        (sent) => LASTING.has(sent.kind) || (sent.kind === "chunk" && sent.last),
      );
      if (lasting.length === 0) return [];
      changes += 1;
      const isTurn =
        lasting.some(({ kind }) => kind !== "message") || changes <= AT_ONCE || changes % EVERY === 0;
      return isTurn ? [report()] : [];
    },
    save: () => [report()],
    parked: (checks) => report(checks),
  };
}

function idsOf({ taskId = "", contextId = "" }: TaskReader): string {
  return `${taskId}\0${contextId}`;
}
