import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../test/support/property-runs.ts";
import { applied, talkDraft } from "../../test/support/talk-drafts.ts";
import { newRun, question } from "../../test/support/stores/fixtures.ts";
import type { EventDraft } from "./event.ts";
import { applyEvent, type RunState } from "./fold.ts";
import { blockingOf } from "./fold-talk.ts";
import { TRANSITIONS } from "./run-machine.ts";
import { isTerminal, TERMINAL_STATUSES } from "./run.ts";

const T0 = Date.parse("2026-01-01T00:00:00.000Z");

const created = newRun().events.map(({ draft }) => draft);
const start: EventDraft = { type: "run.started", payload: { worker: "w" } };
const park: EventDraft = { type: "session.parked", payload: {} };
const pause: EventDraft = { type: "run.paused", payload: {} };
const resume: EventDraft = { type: "run.resumed", payload: {} };
const cancel: EventDraft = { type: "run.cancel_requested", payload: { reason: "enough" } };
const toolCall: EventDraft = { type: "tool_call", payload: { tool: "x" } };
const end: EventDraft = { type: "run.ended", payload: { status: "completed" } };

function ask(id: string, blocking = true): EventDraft {
  return { type: "question.asked", payload: { question: question(id, { blocking }) } };
}

function answer(id: string, answerId = "a"): EventDraft {
  const given = { id: answerId, by: { kind: "client" as const }, outcome: "given" as const };
  return { type: "question.answered", payload: { id, answer: given } };
}

function withdraw(id: string): EventDraft {
  return { type: "question.withdrawn", payload: { id, reason: "no longer" } };
}

function fold(...drafts: EventDraft[]): RunState {
  const state = [...created, ...drafts].reduce<RunState | null>(
    (before, draft, index) => applyEvent(before, "run-1", draft, T0 + index * 1000),
    null,
  );
  if (state === null) throw new Error("nothing to fold");
  return state;
}

describe("the fold of a run that talks", () => {
  it("waits while a blocking question is open, and goes on when the last one closes", () => {
    const statuses = (...drafts: EventDraft[]) => fold(start, ...drafts).run.status;
    expect(statuses(ask("q1"))).toBe("waiting");
    expect(statuses(ask("q1"), ask("q2"), answer("q1"))).toBe("waiting");
    expect(statuses(ask("q1"), ask("q2"), answer("q1"), withdraw("q2"))).toBe("running");
    expect(statuses(ask("q1", false))).toBe("running");
    expect(statuses(ask("q1"), park)).toBe("waiting");
    expect(statuses(ask("q1"), park, answer("q1"))).toBe("queued");
    expect(statuses(ask("q1"), answer("q1"), park)).toBe("queued");
    expect(statuses(ask("q1"), park, answer("q1"), start)).toBe("running");
  });

  it("pauses and resumes a run that waits without losing its questions", () => {
    expect(fold(start, ask("q1"), pause).run).toMatchObject({ status: "paused", questions: [{ id: "q1" }] });
    expect(fold(start, ask("q1"), pause, resume).run.status).toBe("waiting");
    expect(fold(start, ask("q1"), pause, answer("q1")).run.status).toBe("paused");
    expect(fold(start, ask("q1"), pause, answer("q1"), resume).run.status).toBe("running");
    expect(fold(start, ask("q1"), park, pause, answer("q1"), resume).run.status).toBe("queued");
  });

  it("queues a parked run that is to be cancelled, with the reason for whoever opens its session", () => {
    const { run, talk } = fold(start, ask("q1"), park, cancel, withdraw("q1"));
    expect(run).toMatchObject({ status: "queued", questions: [] });
    expect(talk).toMatchObject({ parked: true, cancel: "enough" });
    expect(fold(start, ask("q1"), park, withdraw("q1"), cancel)).toMatchObject({
      run: { status: "queued" },
      talk: { cancel: "enough" },
    });
  });

  it("keeps the first start of a run that was parked", () => {
    const { run } = fold(start, ask("q1"), park, answer("q1"), start);
    expect(run.started_at).toBe(fold(start).run.started_at);
  });

  it("tells an answer that came second from one to a question that never was", () => {
    const closed = fold(start, ask("q1"), answer("q1", "first"));
    const second = () => applyEvent(closed, "run-1", answer("q1", "second"), T0);
    expect(second).toThrow(expect.objectContaining({ code: "ANSWERED_ALREADY" }));
    const unknown = () => applyEvent(closed, "run-1", answer("q9"), T0);
    expect(unknown).toThrow(expect.objectContaining({ code: "QUESTION_NOT_FOUND" }));
    expect(closed.talk?.closed).toEqual({ q1: { how: "answered", answer_id: "first" } });
  });

  it("takes no notice of a question that is asked again, open or closed", () => {
    const closed = fold(start, ask("q1"), answer("q1"));
    expect(applyEvent(closed, "run-1", ask("q1"), T0)).toBe(closed);
    const open = fold(start, ask("q1", false));
    expect(applyEvent(open, "run-1", ask("q1", true), T0)).toBe(open);
  });

  it("remembers the conversation over events that are no part of it", () => {
    const before = fold(start, ask("q1", false));
    expect(applyEvent(before, "run-1", toolCall, T0).talk).toEqual(before.talk);
    expect(applyEvent(before, "run-1", { type: "progress", payload: { current_step: 3 } }, T0).talk).toEqual(
      before.talk,
    );
  });

  it("ends with no open question, and takes no answer afterwards", () => {
    const ended = fold(start, ask("q1"), end);
    expect(ended.run.questions).toEqual([]);
    expect(applied(ended, answer("q1"))).toBeUndefined();
  });
});

const anyDraft = fc.oneof(
  { weight: 20, arbitrary: talkDraft },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(...TERMINAL_STATUSES)
      .map<EventDraft>((status) => ({ type: "run.ended", payload: { status } })),
  },
);

/** The legal steps of a random walk, each with the state before and after it. */
function walk(drafts: readonly EventDraft[]) {
  const steps: { draft: EventDraft; before: RunState; after: RunState }[] = [];
  let state = fold(start);
  for (const draft of drafts) {
    const after = applied(state, draft);
    if (after === undefined) continue;
    steps.push({ draft, before: state, after });
    state = after;
  }
  return steps;
}

function everyStep(check: (step: ReturnType<typeof walk>[number]) => void): void {
  fc.assert(
    fc.property(fc.array(anyDraft, { maxLength: 60 }), (drafts) => walk(drafts).forEach(check)),
    { numRuns: propertyRuns(2000) },
  );
}

describe("whatever is said, asked and wished in whatever order", () => {
  it("a question closes once, and how it closed never changes (C1)", () => {
    everyStep(({ before, after }) => {
      const closed = after.talk?.closed ?? {};
      expect(closed).toMatchObject(before.talk?.closed ?? {});
      for (const { id } of after.run.questions) expect(Object.hasOwn(closed, id)).toBe(false);
      const ids = after.run.questions.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      if (isTerminal(after.run.status)) return;
      expect(after.talk?.asked ?? 0).toBe(ids.length + Object.keys(closed).length);
    });
  });

  it("a run waits exactly while a blocking question is open and it is neither paused nor ended nor about to be cancelled (C2)", () => {
    everyStep(({ after: { run, talk } }) => {
      const isCancelled = run.status === "queued" && talk?.cancel !== undefined;
      const waits =
        blockingOf(run).length > 0 && run.status !== "paused" && !isTerminal(run.status) && !isCancelled;
      expect(run.status === "waiting").toBe(waits);
    });
  });

  it("a parked run is never running, and whatever it waits for leads to the queue or the end (C5)", () => {
    everyStep(({ draft, before, after }) => {
      if (after.talk?.parked === true) expect(after.run.status).not.toBe("running");
      const wasParked = before.talk?.parked === true && before.run.status !== "queued";
      const moved = after.run.status !== before.run.status && draft.type !== "run.ended";
      if (!wasParked || !moved || draft.type === "run.paused") return;
      // From paused it may wait again; everything else needs a worker.
      expect(before.run.status === "paused" ? ["queued", "waiting"] : ["queued"]).toContain(after.run.status);
    });
  });

  it("an ended run has no open question (C6)", () => {
    everyStep(({ after: { run } }) => {
      if (isTerminal(run.status)) expect(run.questions).toEqual([]);
    });
  });

  it("a run keeps to the table of statuses", () => {
    everyStep(({ before, after }) => {
      if (after.run.status === before.run.status) return;
      expect(TRANSITIONS[before.run.status]).toContain(after.run.status);
    });
  });

  it("the fold gives the same after its state went through JSON, and never changes an earlier state", () => {
    everyStep(({ draft, before, after }) => {
      const text = JSON.stringify(before);
      expect(applied(JSON.parse(text) as RunState, draft)).toEqual(after);
      expect(JSON.stringify(before)).toBe(text);
    });
  });
});
