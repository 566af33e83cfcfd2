// Reports of a session that nobody has taken yet, in order. Producers wait while there are many.
import type { Violation } from "../../core/event.ts";
import { isJsonObject } from "../../core/json.ts";
import type { AgentEventDraft, AgentReport, ReceivedArtifact } from "../../core/ports/driver.ts";

export interface ReportQueue {
  event(event: AgentEventDraft): void;
  violation(violation: Violation): void;
  /** Neighbouring lines of one stream become one event. */
  log(stream: "stdout" | "stderr" | "platform", text: string, droppedBytes?: number): void;
  artifact(artifact: ReceivedArtifact): void;
  push(report: AgentReport): void;
  /** Returns undefined while there is room; otherwise the promise to wait for before producing more. */
  room(): Promise<void> | undefined;
  /** Called when nothing more will come. */
  end(): void;
  /** Resolves with all reports there are, or with what comes next; undefined after the end. */
  take(): Promise<readonly AgentReport[] | undefined>;
  /** Called when the reader is gone. */
  abandon(): void;
}

/** Number of characters, roughly, at which producers have to wait. */
const FULL = 1024 * 1024;
const REPORT_COST = 1024;
const MAX_LOG_CHARS = 64 * 1024;

type Log = { stream: "stdout" | "stderr" | "platform"; text: string; dropped_bytes?: number };

export function createReportQueue(): ReportQueue {
  let waiting: AgentReport[] = [];
  let cost = 0;
  let lastLog: Log | undefined;
  let reader: (() => void) | undefined;
  let producers: (() => void)[] = [];
  let ended = false;
  let abandoned = false;

  function takeAll(): readonly AgentReport[] {
    const taken = waiting;
    waiting = [];
    cost = 0;
    lastLog = undefined;
    release();
    return taken;
  }

  function release(): void {
    if (producers.length === 0) return;
    const released = producers;
    producers = [];
    for (const go of released) go();
  }

  /** Wakes the reader in a turn of its own, so that what happens together is taken together. */
  function wake(): void {
    const go = reader;
    if (go === undefined) return;
    reader = undefined;
    go();
  }

  function push(report: AgentReport, chars = 0): void {
    if (ended) return;
    lastLog = undefined;
    waiting.push(report);
    cost += REPORT_COST + chars;
    wake();
  }

  return {
    event: (event) => push({ kind: "event", event }, sizeOf(event)),
    violation: (payload) => push({ kind: "event", event: { type: "violation", payload } }),
    log(stream, text, droppedBytes = 0) {
      if (lastLog?.stream === stream && droppedBytes === 0 && lastLog.text.length < MAX_LOG_CHARS) {
        lastLog.text += `\n${text}`;
        cost += text.length;
        return;
      }
      const payload: Log = { stream, text, ...(droppedBytes > 0 && { dropped_bytes: droppedBytes }) };
      push({ kind: "event", event: { type: "log", payload } }, text.length);
      if (droppedBytes === 0 && waiting.length > 0) lastLog = payload;
    },
    artifact(artifact) {
      const size = artifact.type === "file" ? (artifact.content?.length ?? 0) : 0;
      push({ kind: "artifact", artifact }, size);
    },
    push: (report) => push(report),
    room() {
      if (cost < FULL || abandoned) return undefined;
      return new Promise((resolve) => producers.push(resolve));
    },
    end() {
      ended = true;
      wake();
    },
    async take() {
      if (waiting.length === 0 && !ended) await new Promise<void>((resolve) => (reader = resolve));
      return waiting.length > 0 ? takeAll() : undefined;
    },
    abandon() {
      abandoned = true;
      ended = true;
      takeAll();
    },
  };
}

function sizeOf(event: AgentEventDraft): number {
  if (event.type !== "tool_call") return 0;
  const { output } = event.payload;
  // As report-step.ts writes it.
  const shown = isJsonObject(output) ? output["output"] : undefined;
  return typeof shown === "string" ? shown.length : 0;
}
