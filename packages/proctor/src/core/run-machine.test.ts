import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventDraft } from "./event.ts";
import { RUN_STATUSES, TERMINAL_STATUSES, isTerminal, type RunStatus } from "./run.ts";
import { TRANSITIONS, nextStatus } from "./run-machine.ts";

const moves: EventDraft[] = [
  { type: "run.queued", payload: {} },
  { type: "run.started", payload: { worker: "w" } },
  { type: "run.paused", payload: {} },
  { type: "run.resumed", payload: {} },
  ...TERMINAL_STATUSES.map((status) => ({ type: "run.ended" as const, payload: { status } })),
];
const facts: EventDraft[] = [
  { type: "progress", payload: {} },
  { type: "log", payload: { stream: "stderr", text: "x" } },
  { type: "run.cancel_requested", payload: { reason: "x" } },
  { type: "violation", payload: { rule: "r", message: "m" } },
];
const anyDraft = fc.constantFrom(...moves, ...facts);

describe("the run machine", () => {
  it("goes created → queued → running ⇄ paused → an end", () => {
    expect(walk(["run.queued", "run.started", "run.paused", "run.resumed", "completed"])).toEqual([
      "queued",
      "running",
      "paused",
      "running",
      "completed",
    ]);
  });

  it("freezes an ended run: no event of any kind is taken", () => {
    for (const status of TERMINAL_STATUSES) {
      for (const draft of [...moves, ...facts]) expect(nextStatus({ status }, draft)).toBeUndefined();
    }
  });

  it("lets clients give to an ended run and take back, and nobody else", () => {
    const artifact = { id: "a", type: "file" as const, path: "x" };
    for (const status of TERMINAL_STATUSES) {
      expect(nextStatus({ status }, { type: "artifact.added", payload: { artifact, by: "client" } })).toBe(
        status,
      );
      expect(nextStatus({ status }, { type: "artifact.removed", payload: { artifact_id: "a" } })).toBe(
        status,
      );
      expect(nextStatus({ status }, { type: "artifact.added", payload: { artifact } })).toBeUndefined();
    }
  });

  it("starts a client's run without a queue, and no other", () => {
    const started = (worker: string): EventDraft => ({ type: "run.started", payload: { worker } });
    expect(nextStatus({ status: "created", byClient: true }, started("client"))).toBe("running");
    expect(nextStatus({ status: "created", byClient: true }, started("w"))).toBeUndefined();
    expect(
      nextStatus({ status: "created", byClient: true }, { type: "run.queued", payload: {} }),
    ).toBeUndefined();
    expect(nextStatus({ status: "created" }, started("client"))).toBeUndefined();
  });

  it("takes steps only from the client that does the work, and no new ones while it is paused", () => {
    const payload = { step_id: "s", name: "n", input: null, additional_input: {} };
    const added: EventDraft = { type: "step.added", payload };
    const changed: EventDraft = { type: "step.changed", payload: { step_id: "s" } };
    const takers = (draft: EventDraft, byClient: boolean) =>
      RUN_STATUSES.filter((status) => nextStatus({ status, byClient: byClient }, draft) !== undefined);
    expect([takers(added, false), takers(changed, false)]).toEqual([[], []]);
    expect(takers(added, true)).toEqual(["running"]);
    expect(takers(changed, true)).toEqual(["running", "paused"]);
  });

  it("starts only from created, and creates only once", () => {
    for (const draft of [...moves, ...facts]) expect(nextStatus({ status: null }, draft)).toBeUndefined();
    const created = { type: "run.created", payload: {} } as unknown as EventDraft;
    expect(nextStatus({ status: null }, created)).toBe("created");
    for (const status of RUN_STATUSES) expect(nextStatus({ status }, created)).toBeUndefined();
  });

  it("never leaves the table, whatever the sequence of events", () => {
    fc.assert(
      fc.property(fc.array(anyDraft, { maxLength: 40 }), (drafts) => {
        let status: RunStatus = "created";
        for (const draft of drafts) {
          const next = nextStatus({ status }, draft);
          if (next === undefined) continue;
          if (next !== status) expect(TRANSITIONS[status]).toContain(next);
          expect(isTerminal(status)).toBe(false);
          status = next;
        }
      }),
    );
  });

  it("pauses only what is queued, runs or waits, and resumes only what is paused", () => {
    const takers = (draft: EventDraft) =>
      RUN_STATUSES.filter((status) => nextStatus({ status }, draft) !== undefined);
    expect(takers({ type: "run.paused", payload: {} })).toEqual(["queued", "running", "waiting"]);
    expect(takers({ type: "run.resumed", payload: {} })).toEqual(["paused"]);
    expect(takers({ type: "run.started", payload: { worker: "w" } })).toEqual(["queued"]);
  });
});

function walk(names: string[]): (RunStatus | undefined)[] {
  let status: RunStatus | undefined = "created";
  return names.map((name) => {
    const draft = moves.find((move) =>
      move.type === "run.ended" ? move.payload.status === name : move.type === name,
    );
    status = draft && status && nextStatus({ status }, draft);
    return status;
  });
}
