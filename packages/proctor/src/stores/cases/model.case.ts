// Cases of a store: it agrees with a small model of runs that talk, whatever two workers and several doors do in whatever order, with
// restarts in between. The model is the fold itself, and who owns the run.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { claimRequest, newEvent, newRun, question, readLog } from "../../../test/support/stores/fixtures.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import { applied, talkDraft } from "../../../test/support/talk-drafts.ts";
import type { EventDraft } from "../../core/event.ts";
import type { RunState } from "../../core/fold.ts";
import { blockingOf } from "../../core/fold-talk.ts";
import type { Store } from "../../core/ports/store.ts";
import { isHeld } from "../../core/run-machine.ts";
import { isTerminal } from "../../core/run.ts";

const T0 = Date.parse("2026-01-01T00:00:00.000Z");
const RUNS = 3;
const WORKERS = ["w1", "w2"] as const;

type Step =
  | { kind: "claim"; worker: (typeof WORKERS)[number]; later: number }
  /** A worker writes with the fence of its last claim, which may be stale. */
  | { kind: "work"; worker: (typeof WORKERS)[number]; run: number; drafts: EventDraft[] }
  | { kind: "door"; run: number; drafts: EventDraft[]; unowned: boolean }
  | { kind: "restart" };

const worker = fc.constantFrom(...WORKERS);
const run = fc.nat(RUNS - 1);
const end = fc.constant<EventDraft>({ type: "run.ended", payload: { status: "cancelled" } });
const one = fc
  .oneof({ weight: 15, arbitrary: talkDraft }, { weight: 1, arbitrary: end })
  // Only a claim starts a run.
  .filter(({ type }) => type !== "run.started");
/** What leads to a run that waits while nobody is at work, and is to be looked after. */
const parking = fc.nat(30_000).map((ms): EventDraft[] => [
  { type: "question.asked", payload: { question: question("q1") } },
  { type: "session.parked", payload: { check_at: new Date(T0 + ms).toISOString() } },
]);
const drafts = fc.oneof(
  { weight: 10, arbitrary: fc.array(one, { minLength: 1, maxLength: 2 }) },
  { weight: 1, arbitrary: parking },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("claim" as const), worker, later: fc.nat(20_000) }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("work" as const), worker, run, drafts }) },
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant("door" as const), run, drafts, unowned: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: "restart" }) },
);

interface ModelRun {
  id: string;
  state: RunState;
  owner: string | null;
  fence: number;
  /** The fence of each worker's last claim. */
  known: Map<string, number>;
}

export function modelCases(use: () => Store, reopen: () => Promise<Store>): void {
  it("agrees with the fold and knows every owner, every question and what is due, whatever workers and doors do", async () => {
    let store = use();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        let now = T0;
        const runs = await createRuns(store);
        for (const one of steps) {
          now += one.kind === "claim" ? one.later : 1;
          if (one.kind === "restart") store = await reopen();
          else if (one.kind === "claim") await claim(store, runs, one.worker, now);
          else await write(store, runs, one, now);
          await compare(store, runs, now);
        }
        for (const { id, state } of runs) {
          await expectOneAnswerEach(store, id);
          if (!isTerminal(state.run.status)) {
            await store.append(id, [newEvent({ type: "run.ended", payload: { status: "failed" } }, now)]);
          }
        }
      }),
      { numRuns: propertyRuns(60) },
    );
  });
}

async function createRuns(store: Store): Promise<ModelRun[]> {
  const runs: ModelRun[] = [];
  for (let index = 0; index < RUNS; index++) {
    const made = newRun();
    await store.createRun(made);
    let state: RunState | null = null;
    for (const event of made.events) state = applied(state, event.draft, made.id, event.timestamp) ?? state;
    if (state === null) throw new Error("a run begins with run.created");
    runs.push({ id: made.id, state, owner: null, fence: 0, known: new Map() });
  }
  return runs;
}

async function claim(store: Store, runs: ModelRun[], by: string, now: number): Promise<void> {
  const { claimed } = await store.claimRuns(claimRequest({ worker: by, now }));
  const due = runs.filter(({ state }) => isDue(state, now));
  expect(claimed.map((one) => one.run.id).toSorted()).toEqual(due.map(({ id }) => id).toSorted());
  for (const one of due) {
    const after = applied(one.state, { type: "run.started", payload: { worker: by } }, one.id, now);
    if (after === undefined) throw new Error("what is due can be started");
    Object.assign(one, { state: after, owner: by, fence: one.fence + 1 });
    one.known.set(by, one.fence);
    expect(claimed.find(({ run: { id } }) => id === one.id)?.fence).toBe(one.fence);
  }
}

function isDue({ run: { status }, talk }: RunState, now: number): boolean {
  if (status === "queued") return true;
  const isChecked = status === "waiting" && talk?.parked === true && talk.check_at !== undefined;
  return isChecked && Date.parse(talk.check_at ?? "") <= now;
}

function isOwned({ owner, state }: ModelRun): boolean {
  return owner !== null && isHeld(state.run.status);
}

async function write(
  store: Store,
  runs: ModelRun[],
  step: Extract<Step, { kind: "work" | "door" }>,
  now: number,
): Promise<void> {
  const target = runs[step.run];
  if (target === undefined) throw new Error("there are three runs");
  const fence = step.kind === "work" ? target.known.get(step.worker) : undefined;
  if (step.kind === "work" && fence === undefined) return;
  const after = step.drafts.reduce<RunState | undefined>(
    (state, draft) => state && applied(state, draft, target.id, now),
    target.state,
  );
  const isRefused =
    after === undefined ||
    (fence !== undefined && fence !== target.fence) ||
    (step.kind === "door" && step.unowned && isOwned(target));
  const options = fence === undefined ? { unowned: step.kind === "door" && step.unowned } : { fence };
  const outcome = store.append(
    target.id,
    step.drafts.map((draft) => newEvent(draft, now)),
    options,
  );
  if (isRefused) {
    await expect(outcome).rejects.toThrow(target.id);
    return;
  }
  expect(await outcome).toEqual(after.run);
  const isParking = after.talk?.parked === true && target.state.talk?.parked !== true;
  target.state = after;
  if (isParking && target.owner !== null) Object.assign(target, { owner: null, fence: target.fence + 1 });
}

async function compare(store: Store, runs: ModelRun[], now: number): Promise<void> {
  for (const { id, state } of runs) {
    const shown = await store.readRun(id);
    expect(shown).toEqual(state.run);
    expectSound(state);
  }
  const open = runs.flatMap(({ id, state }) => state.run.questions.map((question) => `${id} ${question.id}`));
  const { items } = await store.openQuestions({ limit: 1000 });
  expect(items.map(({ run_id, question }) => `${run_id} ${question.id}`)).toEqual(open);
  const owned = runs.filter(isOwned).map(({ id }) => id);
  expect((await store.expired(Infinity, 10)).map((one) => one.run.id)).toEqual(owned);
  const unowned = runs.filter(({ owner, state }) => owner === null && !isTerminal(state.run.status));
  const expiries = unowned.map(({ id, state }) => ({
    id,
    at: Math.min(...state.run.questions.map(({ expires_at }) => Date.parse(expires_at))),
  }));
  const next = Math.min(...expiries.map(({ at }) => at));
  expect((await store.nextExpiry()) ?? Infinity).toBe(next);
  const due = expiries.filter(({ at }) => at <= now).map(({ id }) => id);
  expect((await store.dueParked(now, 10)).map(({ id }) => id).toSorted()).toEqual(due.toSorted());
}

/** C2, C5 and C6 of the conversation's invariants. */
function expectSound({ run: { status, questions }, talk }: RunState): void {
  const isCancelled = status === "queued" && talk?.cancel !== undefined;
  const isOver = status === "paused" || isTerminal(status) || isCancelled;
  expect(status === "waiting").toBe(blockingOf({ questions }).length > 0 && !isOver);
  if (isTerminal(status)) expect(questions).toEqual([]);
  if (talk?.parked === true) expect(status).not.toBe("running");
}

/** C1: the log has at most one answer to each question. */
async function expectOneAnswerEach(store: Store, id: string): Promise<void> {
  const answers = (await readLog(store, id)).flatMap((event) =>
    event.type === "question.answered" ? [event.payload.id] : [],
  );
  expect(new Set(answers).size).toBe(answers.length);
}
