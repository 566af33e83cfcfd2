// What took time in a run, with its beginning, its end, its cost, and what it was a part of: read from the log, pure.
import type { Event, Run } from "../../api/gen/schema.ts";
import { record, str } from "../../components/describe-event.ts";

export const SPAN_KINDS = ["run", "step", "model", "tool", "wait", "message"] as const;
export type SpanKind = (typeof SPAN_KINDS)[number];

export interface Span {
  id: string;
  kind: SpanKind;
  name: string;
  startMs: number;
  endMs: number;
  costUsd: number;
  failed: boolean;
  /** Level of nesting: 0 for the run itself. */
  depth: number;
  /** Sequence of the event that ended the span; a span that is a run has `runId` instead. */
  sequence?: number;
  runId?: string;
}

type Draft = Omit<Span, "depth">;

/** Returns the spans of the run and its children, the run first, by their beginning, each nested in what encloses it. */
export function spansOf(run: Run, events: readonly Event[], children: readonly Run[], nowMs: number): Span[] {
  const own = runSpan(run, nowMs);
  const drafts = [...closed(events, own.endMs), ...children.map((child) => runSpan(child, nowMs))];
  drafts.sort((a, b) => a.startMs - b.startMs || b.endMs - a.endMs);
  const open: Span[] = [{ ...own, depth: 0 }];
  const spans: Span[] = [...open];
  for (const draft of drafts) {
    const startMs = Math.max(own.startMs, draft.startMs);
    while (open.length > 1 && !encloses(open.at(-1), draft)) open.pop();
    const span = { ...draft, startMs, endMs: Math.max(startMs, draft.endMs), depth: open.length };
    spans.push(span);
    // Only steps and runs hold others; two tools at the same time stand next to each other.
    if (draft.kind === "step" || draft.kind === "run") open.push(span);
  }
  return spans;
}

function encloses(outer: Span | undefined, inner: Draft): boolean {
  return outer !== undefined && outer.startMs <= inner.startMs && outer.endMs >= inner.endMs;
}

function runSpan(run: Run, nowMs: number): Draft {
  const startMs = Date.parse(run.started_at ?? run.created_at);
  return {
    id: run.id,
    kind: "run",
    name: run.task.description.split("\n", 1)[0]?.slice(0, 120) ?? run.id,
    startMs,
    endMs: run.ended_at === null ? Math.max(nowMs, startMs) : Date.parse(run.ended_at),
    costUsd: run.metrics.cost_usd ?? 0,
    failed: ["failed", "timeout", "rejected"].includes(run.status),
    runId: run.id,
  };
}

function closed(events: readonly Event[], runEndMs: number): Draft[] {
  const drafts: Draft[] = [];
  const open = new Map<string, Draft>();
  const close = (key: string, endMs: number, sequence: number, failed = false): void => {
    const draft = open.get(key);
    if (draft === undefined) return;
    open.delete(key);
    drafts.push({ ...draft, endMs, sequence, failed });
  };
  const begin = (key: string, kind: SpanKind, name: string, startMs: number): void => {
    open.set(key, { id: key, kind, name, startMs, endMs: runEndMs, costUsd: 0, failed: false });
  };
  for (const { type, payload, timestamp, sequence } of events) {
    const at = Date.parse(timestamp);
    const ms = typeof payload["duration_ms"] === "number" ? payload["duration_ms"] : 0;
    const timed = (kind: SpanKind, name: string, failed: boolean, costUsd = 0): number =>
      drafts.push({ id: `e${sequence}`, kind, name, startMs: at - ms, endMs: at, costUsd, failed, sequence });
    switch (type) {
      case "llm_request": {
        const usd = payload["cost_usd"];
        timed("model", str(payload["model"]), false, typeof usd === "number" ? usd : 0);
        break;
      }
      case "tool.called":
      case "tool_call":
        timed(
          "tool",
          str(payload["tool"]).slice(0, 120),
          payload["error"] != null || payload["status"] === "error",
        );
        break;
      case "question.asked": {
        const question = record(payload["question"]) ?? {};
        begin(`q${str(question["id"])}`, "wait", str(question["kind"]), at);
        break;
      }
      case "question.answered":
      case "question.withdrawn":
      case "question.expired":
        close(`q${str(payload["id"])}`, at, sequence, type === "question.expired");
        break;
      case "message.opened":
        begin(`m${str(payload["id"])}`, "message", str(payload["role"]), at);
        break;
      case "message.closed":
        close(`m${str(payload["id"])}`, at, sequence);
        break;
      case "step.added":
        begin(`s${str(payload["step_id"])}`, "step", str(payload["name"]), at);
        break;
      case "step.changed":
        if (["completed", "failed"].includes(str(payload["status"]))) {
          close(`s${str(payload["step_id"])}`, at, sequence, payload["status"] === "failed");
        }
        break;
      default:
    }
  }
  return [...drafts, ...open.values()];
}

export interface Flame {
  name: string;
  kind: SpanKind;
  value: number;
  children: Flame[];
}

/** Returns time or cost by kind, then by name; the largest first. What is left of the whole has no child. */
export function flameOf(spans: readonly Span[], by: "time" | "cost"): Flame {
  const [root, ...rest] = spans;
  const valueOf = (span: Span): number => (by === "time" ? span.endMs - span.startMs : span.costUsd);
  const kinds = new Map<SpanKind, Map<string, number>>();
  for (const span of rest) {
    // What is inside another span is already in its time.
    if (by === "time" && span.depth > 1) continue;
    const names = kinds.get(span.kind) ?? new Map<string, number>();
    names.set(span.name, (names.get(span.name) ?? 0) + valueOf(span));
    kinds.set(span.kind, names);
  }
  const children = [...kinds].map(([kind, names]): Flame => {
    const inner = [...names].map(([name, value]): Flame => ({ name, kind, value, children: [] }));
    inner.sort((a, b) => b.value - a.value);
    return { name: kind, kind, value: sum(inner), children: inner };
  });
  children.sort((a, b) => b.value - a.value);
  const whole = Math.max(root === undefined ? 0 : valueOf(root), sum(children));
  return { name: root?.name ?? "", kind: "run", value: whole, children };
}

function sum(flames: readonly Flame[]): number {
  return flames.reduce((total, { value }) => total + value, 0);
}
