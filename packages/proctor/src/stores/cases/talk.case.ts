// Cases of a store: conversations, trees of runs, and questions that nobody has answered yet.
import { expect, it } from "vitest";
import type { OpenQuestion, QuestionQuery, RunQuery, Store } from "../../core/ports/store.ts";
import {
  answered,
  asked,
  claimRequest,
  ended,
  logged,
  newEvent,
  newRun,
  NOW,
  parked,
  readLog,
  type RunOptions,
} from "../../../test/support/stores/fixtures.ts";

export function talkCases(use: () => Store, reopen: () => Promise<Store>): void {
  const create = async (...runs: RunOptions[]): Promise<void> => {
    for (const run of runs) await use().createRun(newRun(run));
  };
  /** Creates runs that a worker is at work on. */
  const start = async (...runs: RunOptions[]): Promise<void> => {
    await create(...runs);
    await use().claimRuns(
      claimRequest({ only: runs.map(({ id = "" }) => id), limit: 1000, agentLimit: 1000 }),
    );
  };
  const list = async (query: RunQuery): Promise<string[]> => {
    const page = await use().listRuns({ limit: 2, order: "oldest", ...query });
    const ids = page.items.map(({ id }) => id);
    return page.next_cursor === null
      ? ids
      : [...ids, ...(await list({ ...query, cursor: page.next_cursor }))];
  };
  const questionPages = async (query: QuestionQuery, store = use()): Promise<OpenQuestion[][]> => {
    const { items, next_cursor: cursor } = await store.openQuestions(query);
    return cursor === null ? [items] : [items, ...(await questionPages({ ...query, cursor }, store))];
  };
  const questionIds = async (query: QuestionQuery, store = use()): Promise<string[]> =>
    (await questionPages(query, store)).flat().map(({ question }) => question.id);

  it("lists the runs of a conversation, the one that began it included, on every page", async () => {
    await create(
      { id: "c" },
      { id: "c2", conversation: "c" },
      { id: "other" },
      { id: "c3", conversation: "c" },
    );
    await create({ id: "d1", conversation: "d" }, { id: "c4", conversation: "c", agent: "fizz" });
    expect(await list({ conversation: "c" })).toEqual(["c", "c2", "c3", "c4"]);
    expect(await list({ conversation: "c", order: "newest" })).toEqual(["c4", "c3", "c2", "c"]);
    expect(await list({ conversation: "d" })).toEqual(["d1"]);
    expect(await list({ conversation: "other" })).toEqual(["other"]);
    expect(await list({ conversation: "nobody" })).toEqual([]);
    // A run that joined one is none itself.
    expect(await list({ conversation: "c2" })).toEqual([]);
    expect(await list({ conversation: "c", agent: "fizz" })).toEqual(["c4"]);
    await start({ id: "c5", conversation: "c" });
    expect(await list({ conversation: "c", status: ["running", "queued"] })).toEqual([
      "c",
      "c2",
      "c3",
      "c4",
      "c5",
    ]);
    expect(await list({ conversation: "c", status: ["running"] })).toEqual(["c5"]);
    expect(await use().readRun("c4")).toMatchObject({ conversation_id: "c" });
    expect(await use().readRun("c")).toMatchObject({ conversation_id: "c" });
  });

  it("lists the parts of a run and the members of a tree, on every page", async () => {
    await create(
      { id: "top" },
      { id: "a", parent: "top", root: "top" },
      { id: "b", parent: "top", root: "top" },
    );
    await create({ id: "a1", parent: "a", root: "top" }, { id: "a2", parent: "a", root: "top" }, { id: "x" });
    expect(await list({ parent: "top" })).toEqual(["a", "b"]);
    expect(await list({ parent: "a" })).toEqual(["a1", "a2"]);
    expect(await list({ parent: "x" })).toEqual([]);
    expect(await list({ root: "top" })).toEqual(["top", "a", "b", "a1", "a2"]);
    expect(await list({ root: "top", order: "newest" })).toEqual(["a2", "a1", "b", "a", "top"]);
    expect(await list({ root: "top", parent: "a" })).toEqual(["a1", "a2"]);
    expect(await list({ root: "x" })).toEqual(["x"]);
  });

  it("adds up what a tree has used from the logs of its runs", async () => {
    await start(
      { id: "top" },
      { id: "a", parent: "top", root: "top" },
      { id: "a1", parent: "a", root: "top" },
      { id: "x" },
    );
    const used = (input_tokens: number, cost_usd: number) =>
      newEvent({ type: "llm_request", payload: { input_tokens, output_tokens: 1, cost_usd } });
    await use().append("top", [used(10, 0.5), used(5, 0.25)]);
    await use().append("a", [used(100, 0), ended()]);
    await use().append("a1", [newEvent({ type: "progress", payload: { current_step: 7 } })]);
    await use().append("x", [used(1000, 1)]);
    const expected = { runs: 3, live: 2, total_tokens: 118, cost_usd: 0.75, total_steps: 10 };
    expect(await use().tally("top")).toEqual(expected);
    // The same from the logs themselves.
    let tokens = 0;
    for (const id of ["top", "a", "a1"]) {
      for (const event of await readLog(use(), id)) {
        if (event.type !== "llm_request") continue;
        tokens += (event.payload.input_tokens ?? 0) + (event.payload.output_tokens ?? 0);
      }
    }
    expect(tokens).toBe(expected.total_tokens);
    expect(await use().tally("nobody")).toMatchObject({ runs: 0, live: 0, total_tokens: 0 });
    // A run that is not at the top counts with what is below it.
    expect(await use().tally("a")).toMatchObject({ runs: 2, live: 1, total_tokens: 101, total_steps: 8 });
    expect(await (await reopen()).tally("top")).toEqual(expected);
  });

  it("adds up a large tree again and again, while runs join it, work, end and are removed", async () => {
    const used = newEvent({ type: "llm_request", payload: { input_tokens: 1, output_tokens: 1 } });
    const many = Array.from({ length: 250 }, (_, index) => ({ id: `m${index}`, parent: "big", root: "big" }));
    await start({ id: "big" }, ...many);
    for (const { id } of many.slice(0, 240)) await use().append(id, [used, ended()]);
    expect(await use().tally("big")).toMatchObject({ runs: 251, live: 11, total_tokens: 480 });
    await use().append("m240", [used]);
    await use().append("m241", [used, ended()]);
    await start({ id: "late", parent: "m240", root: "big" });
    await use().append("late", [used]);
    expect(await use().tally("big")).toMatchObject({ runs: 252, live: 11, total_tokens: 486 });
    expect(await use().tally("big")).toMatchObject({ runs: 252, live: 11, total_tokens: 486 });
    await use().deleteRun("m0");
    expect(await use().tally("big")).toMatchObject({ runs: 251, live: 11, total_tokens: 484 });
    expect(await (await reopen()).tally("big")).toMatchObject({ runs: 251, live: 11, total_tokens: 484 });
  });

  it("lists open questions, the oldest run first, and none that is closed or whose run ended", async () => {
    await start({ id: "r1" }, { id: "r2", conversation: "c" }, { id: "r3" }, { id: "r4" });
    await use().append("r3", [asked("late")]);
    await use().append("r2", [asked("q2"), asked("q1", { blocking: false }), asked("gone")]);
    await use().append("r1", [asked("first")]);
    await use().append("r2", [answered("gone", "a")]);
    await use().append("r4", [asked("ended"), ended()]);
    expect(await questionIds({})).toEqual(["first", "q2", "q1", "late"]);
    expect((await use().openQuestions({})).items[1]).toMatchObject({
      run_id: "r2",
      agent: "echo",
      conversation_id: "c",
      question: { id: "q2", kind: "input", parts: [{ kind: "text", text: "q2?" }] },
    });
    expect(await questionIds({}, await reopen())).toEqual(["first", "q2", "q1", "late"]);
  });

  it("names the goal of an open question, and filters by it and by the run", async () => {
    await start(
      { id: "g1", goal: true, description: "a report" },
      { id: "r1", parent: "g1", root: "g1" },
      { id: "r2", parent: "r1", root: "g1" },
      { id: "g2", goal: true, parent: "g1", root: "g1", description: "x".repeat(500) },
      { id: "r3", parent: "g2", root: "g1" },
      { id: "p" },
      { id: "r4", parent: "p", root: "p" },
    );
    for (const id of ["g1", "r1", "r2", "r3", "r4"]) await use().append(id, [asked(`${id}?`)]);
    const goals = (await questionPages({})).flat().map(({ run_id, goal }) => [run_id, goal?.id ?? null]);
    expect(goals).toEqual([
      ["g1", "g1"],
      ["r1", "g1"],
      ["r2", "g1"],
      ["r3", "g2"],
      ["r4", null],
    ]);
    expect(await questionIds({ goal: "g1" })).toEqual(["g1?", "r1?", "r2?", "r3?"]);
    expect(await questionIds({ goal: "g2" })).toEqual(["r3?"]);
    expect(await questionIds({ goal: "p" })).toEqual(["r4?"]);
    expect(await questionIds({ run: "r2" })).toEqual(["r2?"]);
    expect(await questionIds({ goal: "nobody" })).toEqual([]);
    const [first] = (await use().openQuestions({ run: "g1" })).items;
    expect(first?.goal).toEqual({ id: "g1", title: "a report" });
    const [nested] = (await use().openQuestions({ run: "r3" })).items;
    expect(nested?.goal?.title.length).toBeLessThan(250);
  });

  it("filters open questions by kind, audience, agent and conversation", async () => {
    await start(
      { id: "r1", agent: "a" },
      { id: "r2", agent: "b", conversation: "r1" },
      { id: "r3", agent: "a" },
    );
    await use().append("r1", [asked("q1"), asked("q2", { kind: "permission", audience: "human" })]);
    await use().append("r2", [asked("q3", { kind: "permission" })]);
    await use().append("r3", [asked("q4", { audience: "human" })]);
    expect(await questionIds({ kind: "permission" })).toEqual(["q2", "q3"]);
    expect(await questionIds({ audience: "human" })).toEqual(["q2", "q4"]);
    expect(await questionIds({ kind: "permission", audience: "human" })).toEqual(["q2"]);
    expect(await questionIds({ agent: "a" })).toEqual(["q1", "q2", "q4"]);
    expect(await questionIds({ conversation: "r1" })).toEqual(["q1", "q2", "q3"]);
    expect(await questionIds({ conversation: "r3", agent: "b" })).toEqual([]);
    expect(await questionIds({ kind: "auth" })).toEqual([]);
  });

  it("pages through open questions: no page is longer than asked for, and each question comes once", async () => {
    const runs = Array.from({ length: 5 }, (_, index) => ({ id: `r${index}` }));
    await start(...runs);
    for (const { id } of runs)
      await use().append(
        id,
        [0, 1, 2].map((n) => asked(`${id}-${n}:x`)),
      );
    const all = runs.flatMap(({ id }) => [0, 1, 2].map((n) => `${id}-${n}:x`));
    for (const limit of [1, 2, 3, 4, 15, 100]) {
      const pages = await questionPages({ limit });
      expect(pages.flat().map(({ question }) => question.id)).toEqual(all);
      expect(pages.map((page) => page.length)).toEqual(
        Array.from({ length: Math.ceil(15 / limit) }, (_, page) => Math.min(limit, 15 - page * limit)),
      );
    }
    const { next_cursor: cursor } = await use().openQuestions({ limit: 4 });
    if (cursor === null) throw new Error("there must be more pages");
    await use().append("r1", [answered("r1-0:x", "a")]);
    await use().append("r3", [ended()]);
    const rest = await questionIds({ limit: 4, cursor });
    expect(rest.filter((id) => !id.startsWith("r1"))).toEqual(all.filter((id) => /^r[24]/.test(id)));
    for (const query of [{ cursor, kind: "auth" as const }, { cursor: "garbage" }]) {
      await expect(use().openQuestions(query)).rejects.toMatchObject({ code: "INVALID_CURSOR" });
    }
  });

  it("finds a rare question among very many others in a few pages", async () => {
    const runs = Array.from({ length: 230 }, (_, index) => ({ id: `r${index}` }));
    await start(...runs);
    await Promise.all(runs.map(({ id }) => use().append(id, [asked("q", { kind: "form" })])));
    await use().append("r217", [asked("rare", { kind: "auth" })]);
    expect(await questionPages({ kind: "auth", limit: 1 })).toMatchObject([[{ run_id: "r217" }]]);
    expect(await questionIds({ kind: "form", limit: 100 })).toHaveLength(230);
  });

  it("takes one of two answers that come at once, and tells the other so", async () => {
    await start({ id: "r1" });
    await use().append("r1", [asked("q1")]);
    const outcomes = await Promise.allSettled([
      use().append("r1", [answered("q1", "mine")]),
      use().append("r1", [answered("q1", "yours")]),
    ]);
    expect(outcomes).toMatchObject([
      { status: "fulfilled", value: { status: "running", questions: [] } },
      { status: "rejected", reason: { code: "ANSWERED_ALREADY", details: { question_id: "q1" } } },
    ]);
    await expect(use().append("r1", [answered("q9", "any")])).rejects.toMatchObject({
      code: "QUESTION_NOT_FOUND",
    });
    const answers = (await readLog(use(), "r1")).filter(({ type }) => type === "question.answered");
    expect(answers).toMatchObject([{ payload: { id: "q1", answer: { id: "mine" } } }]);
    const store = await reopen();
    await expect(store.append("r1", [answered("q1", "late")])).rejects.toMatchObject({
      code: "ANSWERED_ALREADY",
    });
  });

  it("keeps a conversation over events that are no part of it, and over a restart", async () => {
    await start({ id: "r1" });
    await use().append("r1", [asked("q1", { blocking: false }), parked()]);
    await use().claimRuns(claimRequest());
    await use().append("r1", [newEvent({ type: "tool_call", payload: { tool: "x" } }), logged("x")]);
    const store = await reopen();
    await store.append("r1", [answered("q1", "a1"), parked()]);
    const { claimed } = await store.claimRuns(claimRequest({ now: NOW + 1 }));
    expect(claimed).toMatchObject([
      { run: { id: "r1", status: "running" }, talk: { closed: { q1: { answer_id: "a1" } }, asked: 1 } },
    ]);
  });
}
