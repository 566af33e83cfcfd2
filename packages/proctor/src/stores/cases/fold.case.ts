// Cases of a store: the run it shows is the fold of the log it holds, whatever happens (invariant 1).
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { EventDraft } from "../../core/event.ts";
import { applyEvent, type RunState } from "../../core/fold.ts";
import type { NewRun, Store } from "../../core/ports/store.ts";
import { TERMINAL_STATUSES } from "../../core/run.ts";
import { newEvent, newRun, NOW, readLog } from "../../../test/support/stores/fixtures.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import { applied, talkDraft } from "../../../test/support/talk-drafts.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";

const text = fc.string({ unit: anyCharacter, maxLength: 12 });
const tokens = fc.option(fc.nat(5000), { nil: undefined });

const draft: fc.Arbitrary<EventDraft> = fc.oneof(
  { weight: 12, arbitrary: talkDraft },
  { weight: 2, arbitrary: fc.constant<EventDraft>({ type: "run.started", payload: { worker: "w" } }) },
  fc.constant<EventDraft>({ type: "run.paused", payload: {} }),
  fc.constant<EventDraft>({ type: "run.resumed", payload: {} }),
  fc.constant<EventDraft>({ type: "run.cancel_requested", payload: { reason: "enough" } }),
  fc.record({ text }).map<EventDraft>(({ text }) => ({ type: "log", payload: { stream: "stderr", text } })),
  fc
    .record({ call_id: fc.constantFrom("c1", "c2", "c3"), status: fc.constantFrom("started", "ok", "error") })
    .map<EventDraft>((payload) => ({ type: "tool_call", payload })),
  fc
    .record({
      input_tokens: tokens,
      output_tokens: tokens,
      cost_usd: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map<EventDraft>(({ cost_usd, ...counts }) => ({
      type: "llm_request",
      payload: { ...JSON.parse(JSON.stringify(counts)), cost_usd },
    })),
  fc.nat(20).map<EventDraft>((current_step) => ({ type: "progress", payload: { current_step } })),
  fc.record({ rule: text, message: text }).map<EventDraft>((payload) => ({ type: "violation", payload })),
  fc.record({ id: fc.uuid(), path: text }).map<EventDraft>(({ id, path }) => ({
    type: "artifact.added",
    payload: { artifact: { id, type: "file", path } },
  })),
  fc.constantFrom(...TERMINAL_STATUSES).map<EventDraft>((status) => ({
    type: "run.ended",
    payload: { status, failure: { code: "X", message: "y" }, metrics: { total_tokens: 7 } },
  })),
);

/** The longest legal part of what was drawn, in order. */
function legal(run: NewRun, drafts: readonly EventDraft[]): EventDraft[] {
  let state = run.events.reduce<RunState | null>(
    (before, { draft: first, timestamp }) => applyEvent(before, run.id, first, timestamp),
    null,
  );
  return drafts.filter((candidate) => {
    const after = applied(state, candidate, run.id, NOW);
    if (after !== undefined) state = after;
    return after !== undefined;
  });
}

export function foldCases(use: () => Store, reopen: () => Promise<Store>): void {
  async function foldLog(store: Store, id: string): Promise<RunState | null> {
    return (await readLog(store, id)).reduce<RunState | null>(
      (state, event) => applyEvent(state, id, event, Date.parse(event.timestamp)),
      null,
    );
  }

  it("shows the fold of the log after every append", async () => {
    const ids: string[] = [];
    await fc.assert(
      fc.asyncProperty(
        fc.array(draft, { maxLength: 40 }),
        fc.integer({ min: 1, max: 6 }),
        async (drafts, size) => {
          const run = newRun();
          const { run: created } = await use().createRun(run);
          ids.push(created.id);
          const events = legal(run, drafts).map((one, index) => newEvent(one, NOW + index * 10));
          for (let start = 0; start < events.length; start += size) {
            const answer = await use().append(created.id, events.slice(start, start + size));
            expect(answer).toEqual(await use().readRun(created.id));
          }
          expect(await use().readRun(created.id)).toEqual((await foldLog(use(), created.id))?.run);
        },
      ),
      { numRuns: propertyRuns(40) },
    );
    const store = await reopen();
    for (const id of ids) expect(await store.readRun(id)).toEqual((await foldLog(store, id))?.run);
  });

  it("goes on with open tool calls after it was closed and opened again", async () => {
    const call = (status: string) => newEvent({ type: "tool_call", payload: { call_id: "c1", status } });
    const { run } = await use().createRun(newRun());
    await use().append(run.id, [
      newEvent({ type: "run.started", payload: { worker: "w" } }),
      call("started"),
    ]);
    const store = await reopen();
    expect((await store.append(run.id, [call("ok")])).metrics.tool_calls).toBe(1);
    expect((await store.append(run.id, [call("ok")])).metrics.tool_calls).toBe(2);
  });

  it("keeps no more artifacts in the run than the fold does", async () => {
    const { run } = await use().createRun(newRun());
    const many = Array.from({ length: 1005 }, (_, index) =>
      newEvent({
        type: "artifact.added",
        payload: { artifact: { id: `a${index}`, type: "file", path: "x" } },
      }),
    );
    await use().append(run.id, many.slice(0, 990));
    await use().append(run.id, many.slice(990));
    const store = await reopen();
    expect(await store.readRun(run.id)).toEqual((await foldLog(store, run.id))?.run);
    expect((await store.readRun(run.id))?.artifacts).toHaveLength(1000);
    expect(await store.readArtifact(run.id, "a1004")).toBeUndefined();
  });
}
