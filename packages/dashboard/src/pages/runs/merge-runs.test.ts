import { expect, it } from "vitest";
import type { Run } from "../../api/gen/schema.ts";
import { mergeRuns } from "./merge-runs.ts";

/** Only what a list looks at. */
const run = (id: string, status: Run["status"], created_at = "2026-01-01T00:00:00Z") =>
  ({ id, status, agent: "a", task: { description: id }, created_at }) as Run;
const changed = (...runs: Run[]) => new Map(runs.map((one) => [one.id, one]));
const ids = (items: readonly Run[]) => items.map(({ id, status }) => `${id} ${status}`);

it("A list of runs has what is new on top, the newest first, and what changed in its place", () => {
  const items = [run("c", "running"), run("b", "running"), run("a", "running")];
  const merged = mergeRuns(
    items,
    changed(run("d", "queued"), run("b", "failed"), run("e", "queued")),
    {},
    true,
  );
  expect(ids(merged.items)).toEqual(["e queued", "d queued", "c running", "b failed", "a running"]);
  expect(ids(merged.added)).toEqual(["d queued", "e queued"]);
});

it("A list of running runs takes a run in when it starts, and lets it go when it ends", () => {
  const filter = { status: ["running"] as const };
  const queued = mergeRuns([], changed(run("a", "queued")), filter, false);
  expect(queued.items).toEqual([]);
  const started = mergeRuns(queued.items, changed(run("a", "running")), filter, false);
  expect(ids(started.items)).toEqual(["a running"]);
  const over = mergeRuns(started.items, changed(run("a", "completed")), filter, false);
  expect(over.items).toEqual([]);
  expect(ids(over.dropped)).toEqual(["a completed"]);
});

it("A list of the oldest runs has new ones at its end, and only when nothing is missing before them", () => {
  const items = [run("a", "completed")];
  const fresh = changed(run("b", "queued"), run("c", "queued"));
  expect(ids(mergeRuns(items, fresh, { order: "oldest" }, false).items)).toEqual([
    "a completed",
    "b queued",
    "c queued",
  ]);
  expect(mergeRuns(items, fresh, { order: "oldest" }, true)).toEqual({ items, added: [], dropped: [] });
});

it("A list of runs of which none has changed is the same list", () => {
  const items = [run("a", "completed")];
  expect(mergeRuns(items, new Map(), {}, false).items).toBe(items);
});
