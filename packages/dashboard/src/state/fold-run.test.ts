import { describe, expect, it } from "vitest";
import type { Event, Run } from "../api/gen/schema.ts";
import { foldRun } from "./fold-run.ts";

const event = (type: string, payload: Record<string, unknown> = {}): Event => ({
  run_id: "r1",
  sequence: 0,
  timestamp: "2026-01-01T00:00:00.000Z",
  type,
  payload,
});
const created = event("run.created", { agent: "writer", task: { description: "hello" } });
const fold = (...events: Event[]): Run | undefined =>
  events.reduce<Run | undefined>((run, next) => foldRun(run, next), undefined);

describe("The row of a run", () => {
  it("begins with its creation, and knows nothing of runs that it did not see begin", () => {
    expect(fold(created)).toMatchObject({
      id: "r1",
      agent: "writer",
      status: "created",
      conversation_id: "r1",
    });
    expect(fold(event("run.started"))).toBeUndefined();
  });

  it("waits while a blocking question is open, and goes on when it is answered", () => {
    const asked = event("question.asked", { question: { id: "q", blocking: true } });
    const waiting = fold(created, event("run.started"), asked);
    expect(waiting?.status).toBe("waiting");
    expect(foldRun(waiting, event("question.answered", { id: "q" }))).toMatchObject({
      status: "running",
      questions: [],
    });
  });

  it("ends with what the last event says", () => {
    const failure = { code: "X", message: "no" };
    const run = fold(created, event("run.ended", { status: "failed", failure, metrics: { cost_usd: 2 } }));
    expect(run).toMatchObject({ status: "failed", failure, metrics: { cost_usd: 2 } });
    expect(run?.ended_at).not.toBeNull();
  });
});
