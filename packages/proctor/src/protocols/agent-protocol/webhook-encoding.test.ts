// What webhooks are told of a run that asks.
import { describe, expect, it } from "vitest";
import type { EventDraft, RunEvent } from "../../core/event.ts";
import { webhookEncoding } from "./webhook-encoding.ts";

const CREATED: EventDraft = {
  type: "run.created",
  payload: {
    agent: "agent",
    spec: { protocol: "atp", transport: "stdio" },
    task: { description: "do it" },
    constraints: {},
    context: {},
    metadata: {},
    retry: null,
    attempt: 1,
    retry_of: null,
    trace_id: "0".repeat(32),
  },
};

describe("The webhook of a run that asks", () => {
  it("is told its questions between its other events, numbered without gaps", async () => {
    const question = {
      id: "q",
      kind: "approval" as const,
      parts: [],
      blocking: true,
      audience: "human" as const,
      expires_at: "2030-01-01T00:00:00.000Z",
    };
    const answer = { id: "a", by: { kind: "human" as const }, outcome: "given" as const };
    const drafts: EventDraft[] = [
      CREATED,
      { type: "run.queued", payload: {} },
      { type: "run.started", payload: { worker: "w" } },
      { type: "question.asked", payload: { question } },
      { type: "question.notified", payload: { id: "q", to: ["user:ada"] } },
      { type: "question.answered", payload: { id: "q", answer } },
      { type: "run.ended", payload: { status: "completed" } },
    ];
    const read = webhookEncoding.open({ runId: "r", hub: { readArtifact: () => expect.unreachable() } });
    const told = [];
    for (const [sequence, draft] of drafts.entries()) {
      const event: RunEvent = { ...draft, run_id: "r", sequence, timestamp: "2026-01-01T00:00:00.000Z" };
      told.push(...(await read(event)));
    }
    const shown = told.filter(({ type }) => !type.startsWith("step."));
    expect(shown.map(({ type }) => type)).toEqual([
      "task.created",
      "task.started",
      "question.asked",
      "question.answered",
      "task.completed",
    ]);
    expect(shown[2]).toMatchObject({ task_id: "r", data: { question: { id: "q", audience: "human" } } });
    expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => index));
  });
});
