import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { HANG_MS, eventually } from "../../test/support/eventually.ts";
import { createManualClock } from "../../test/support/manual-clock.ts";
import { createScriptedDriver } from "../../test/support/scripted-driver.ts";
import { openTestHub, type TestHub, type TestHubOptions } from "../../test/support/test-hub.ts";
import { textPart } from "../core/message.ts";
import type { RunRequest } from "../core/ports/hub.ts";
import type { Talks } from "../core/ports/driver.ts";

const agent = { protocol: "puppet", transport: "stdio", command: ["x"] };
const task = { description: "talk" };
const ALL: Talks = {
  says: true,
  asks: ["input", "form", "permission", "approval", "auth"],
  parks: true,
  follows: true,
};

const open: TestHub[] = [];

afterEach(async () => {
  for (const hub of open.splice(0)) await hub.close();
});

async function setUp(options: TestHubOptions & { talks?: Talks } = {}) {
  const driver = createScriptedDriver({ talks: options.talks ?? ALL });
  const hub = await openTestHub({ driver, ...options });
  open.push(hub);
  const submit = async (request: Partial<RunRequest> = {}) =>
    (await hub.hub.submit({ agent, task, options: { conversation: {} }, ...request })).run.id;
  const types = async (id: string) => (await hub.log(id)).map(({ type }) => type);
  const waiting = (id: string) => hub.until(id, ({ type }) => type === "question.asked");
  return { hub, driver, submit, types, waiting };
}

describe("a question of an agent at work", { timeout: HANG_MS }, () => {
  it("makes the run wait until a client answers, and then reaches the agent", async () => {
    const { hub, driver, submit, types, waiting } = await setUp();
    const id = await submit();
    const session = await driver.session(0);
    session.ask({ id: "q1" });
    await waiting(id);
    expect(await hub.hub.run(id)).toMatchObject({
      status: "waiting",
      questions: [{ id: "q1", kind: "input", audience: "client", blocking: true }],
    });
    const after = await hub.hub.answer(id, { question_id: "q1", id: "a1", parts: [textPart("42")] });
    expect(after).toMatchObject({ status: "running", questions: [] });
    await eventually(() => expect(session.heard).toHaveLength(1));
    expect(session.heard).toMatchObject([
      { questionId: "q1", answer: { id: "a1", by: { kind: "client" }, outcome: "given" } },
    ]);
    session.end();
    expect((await hub.ended(id)).status).toBe("completed");
    expect(await types(id)).toEqual([
      "run.created",
      "run.queued",
      "run.started",
      "question.asked",
      "question.answered",
      "question.delivered",
      "run.ended",
    ]);
  });

  it("is answered once: the second answer is refused, and a repeated one gets the first reply", async () => {
    const { hub, driver, submit, waiting } = await setUp();
    const id = await submit();
    const session = await driver.session(0);
    session.ask({ id: "q1" });
    await waiting(id);
    const answers = await Promise.allSettled([
      hub.hub.answer(id, { question_id: "q1", id: "a1", parts: [textPart("one")] }),
      hub.hub.answer(id, { question_id: "q1", id: "a2", parts: [textPart("two")] }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(answers[1]).toMatchObject({ reason: { code: "ANSWERED_ALREADY" } });
    const again = await hub.hub.answer(id, { question_id: "q1", id: "a1", parts: [textPart("one")] });
    expect(again.id).toBe(id);
    session.end();
    await hub.ended(id);
    expect(session.heard).toHaveLength(1);
  });

  it("is refused when nobody can be asked: an action is denied, and input fails the run at once", async () => {
    const { hub, driver, submit } = await setUp();
    const denied = await submit({ options: {} });
    const first = await driver.session(0);
    first.ask({ id: "p", kind: "permission", subject: { tool: "rm" } });
    await eventually(() =>
      expect(first.heard).toMatchObject([{ answer: { outcome: "declined", option: "deny" } }]),
    );
    first.end();
    expect((await hub.ended(denied)).status).toBe("completed");
    const failed = await submit({ options: {} });
    (await driver.session(1)).ask({ id: "q" });
    expect(await hub.ended(failed)).toMatchObject({ status: "failed", failure: { code: "NO_ANSWER" } });
  });

  it("stops the deadline, and has a time of its own", async () => {
    const clock = createManualClock();
    const { hub, driver, submit, waiting } = await setUp({ clock });
    const id = await submit({ constraints: { timeout_seconds: 10 } });
    const session = await driver.session(0);
    session.ask({ id: "p", kind: "permission", options: [{ id: "no", name: "No", effect: "deny" }] });
    await waiting(id);
    clock.advance(3_599_000);
    expect((await hub.hub.run(id)).status).toBe("waiting");
    clock.advance(1_000);
    await eventually(() =>
      expect(session.heard).toMatchObject([{ answer: { outcome: "declined", option: "no" } }]),
    );
    session.ask({ id: "q" });
    await hub.until(id, (event) => event.type === "question.asked" && event.payload.question.id === "q");
    clock.advance(3_600_000);
    await aborted(session.signals.cancel);
    session.end("failed");
    expect(await hub.ended(id)).toMatchObject({
      status: "failed",
      failure: { code: "NO_ANSWER" },
      questions: [],
    });
  });

  it("is withdrawn with the run's end, in the same commit", async () => {
    const { hub, driver, submit, types, waiting } = await setUp();
    const id = await submit();
    const session = await driver.session(0);
    session.ask({ id: "q1" });
    await waiting(id);
    session.end();
    expect(await hub.ended(id)).toMatchObject({ status: "completed", questions: [] });
    expect((await types(id)).slice(-2)).toEqual(["question.withdrawn", "run.ended"]);
    await expect(hub.hub.answer(id, { question_id: "q1", parts: [textPart("late")] })).rejects.toMatchObject({
      code: "ANSWERED_ALREADY",
    });
  });

  it("is answered by a policy in the commit that asks it", async () => {
    const { hub, driver, submit, types } = await setUp();
    const rules = [
      { tool: "read*", policy: "allow" as const },
      { path: "/tmp/*", policy: "deny" as const },
      { text: "your name", policy: { answer: "Ada" } },
    ];
    const id = await submit({ options: { conversation: { rules, policy: { permission: "deny" } } } });
    const session = await driver.session(0);
    session.ask({ id: "1", kind: "permission", subject: { tool: "read_file" } });
    session.ask({ id: "2", kind: "permission", subject: { tool: "write", path: "/tmp/x" } });
    session.ask({ id: "3", parts: [textPart("What is your name?")] });
    await eventually(() => expect(session.heard).toHaveLength(3));
    expect(session.heard).toMatchObject([
      { questionId: "1", answer: { outcome: "given", option: "allow", by: { kind: "policy" } } },
      { questionId: "2", answer: { outcome: "declined", option: "deny" } },
      { questionId: "3", answer: { parts: [{ text: "Ada" }] } },
    ]);
    session.end();
    await hub.ended(id);
    expect((await types(id)).filter((type) => type.startsWith("question.a"))).toHaveLength(6);
  });

  it("takes only answers that fit, from those who may answer", async () => {
    const { hub, driver, submit, waiting } = await setUp();
    const id = await submit({ options: { conversation: { policy: { permission: "ask_human" } } } });
    (await driver.session(0)).ask({ id: "p", kind: "permission" });
    await waiting(id);
    const answer = (given: object) =>
      hub.hub.answer(id, { question_id: "p", by: { kind: "human" }, ...given });
    await expect(answer({ by: { kind: "client" }, option: "allow" })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    await expect(answer({ option: "maybe" })).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    await expect(answer({ parts: [textPart("yes, sure")] })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
    await expect(answer({ question_id: "other", option: "allow" })).rejects.toMatchObject({
      code: "QUESTION_NOT_FOUND",
    });
    expect((await answer({ parts: [textPart("Allow")] })).status).toBe("running");
  });

  it("keeps credentials out of the log, and gives them to the agent", async () => {
    const { hub, driver, submit, waiting } = await setUp();
    const id = await submit();
    const session = await driver.session(0);
    session.ask({ id: "login", kind: "auth" });
    await waiting(id);
    await hub.hub.answer(id, { question_id: "login", data: { token: "tok-very-secret" } });
    await eventually(() =>
      expect(session.heard).toMatchObject([{ answer: { data: { token: "tok-very-secret" } } }]),
    );
    session.push({
      kind: "message",
      message: { id: "m", role: "agent", parts: [textPart("got tok-very-secret")] },
    });
    session.end();
    await hub.ended(id);
    expect(JSON.stringify(await hub.log(id))).not.toContain("tok-very-secret");
  });
});

describe("a message to a run at work", { timeout: HANG_MS }, () => {
  it("is in the log first, then with the agent, once however often it is sent", async () => {
    const { hub, driver, submit, types } = await setUp();
    const id = await submit({ context: { environment: { KEY: "s3cret-value" } } });
    const session = await driver.session(0);
    await hub.hub.say(id, { id: "m1", parts: [textPart("my key is s3cret-value")] });
    await hub.hub.say(id, { id: "m1", parts: [textPart("my key is s3cret-value")] });
    await eventually(() => expect(session.heard).toMatchObject([{ id: "m1", role: "user" }]));
    session.end();
    await hub.ended(id);
    expect((await types(id)).filter((type) => type.startsWith("message."))).toEqual([
      "message.added",
      "message.delivered",
    ]);
    expect(JSON.stringify(await hub.log(id))).not.toContain("s3cret-value");
    await expect(hub.hub.say(id, { parts: [textPart("more")] })).rejects.toMatchObject({ code: "RUN_ENDED" });
  });

  it("is the task's own where the run was submitted with it, and comes once where it was said before the start", async () => {
    const { hub, driver, submit } = await setUp({ concurrency: 1 });
    const first = await submit({ message: { id: "m0", parts: [textPart("with the task")] } });
    const second = await submit();
    await hub.hub.say(second, { id: "m1", parts: [textPart("early")] });
    const one = await driver.session(0);
    expect(one.job.message).toMatchObject({ id: "m0", role: "user" });
    one.end();
    await hub.ended(first);
    expect(one.heard).toEqual([]);
    const two = await driver.session(1);
    await hub.until(second, ({ type }) => type === "message.delivered");
    two.end();
    await hub.ended(second);
    expect(two.heard).toMatchObject([{ id: "m1" }]);
  });

  it("is refused where the agent cannot hear it", async () => {
    const { hub, driver, submit } = await setUp({ talks: {} });
    const id = await submit();
    const session = await driver.session(0);
    await expect(hub.hub.say(id, { parts: [textPart("hello")] })).rejects.toMatchObject({
      code: "NOT_SUPPORTED",
    });
    session.end();
    await hub.ended(id);
  });

  it("waits while the run is paused", async () => {
    const { hub, driver, submit } = await setUp();
    const id = await submit();
    const session = await driver.session(0);
    expect((await hub.hub.pause(id)).status).toBe("paused");
    await hub.hub.say(id, { id: "m1", parts: [textPart("hello")] });
    expect(session.heard).toEqual([]);
    expect((await hub.hub.resume(id)).status).toBe("running");
    await eventually(() => expect(session.heard).toHaveLength(1));
    session.end();
    await hub.ended(id);
  });
});

describe("a message that an agent says piece by piece", { timeout: HANG_MS }, () => {
  it("is joined, stored once, and closed with its length and hash", async () => {
    const { hub, driver, submit } = await setUp();
    const id = await submit({ context: { environment: { KEY: "s3cret-value" } } });
    const session = await driver.session(0);
    const text = "The key s3cret-value is not yours. ".repeat(20);
    for (const letter of text)
      session.push({ kind: "text", messageId: "m", part: 0, text: letter, last: false });
    session.push({ kind: "text", messageId: "m", part: 0, text: "", last: true });
    session.end();
    await hub.ended(id);
    const log = await hub.log(id);
    const pieces = log.flatMap((event) => (event.type === "message.extended" ? [event.payload.text] : []));
    expect(pieces.join("")).toBe(text.replaceAll("s3cret-value", "[redacted:KEY]"));
    expect(pieces.length).toBeLessThan(20);
    const closed = log.find((event) => event.type === "message.closed");
    const { createHash } = await import("node:crypto");
    expect(closed).toMatchObject({
      payload: {
        chars: pieces.join("").length,
        sha256: createHash("sha256").update(pieces.join("")).digest("hex"),
      },
    });
    expect(await hub.hub.messages(id)).toMatchObject([
      { message: { role: "user", parts: [{ text: "talk" }] } },
      { message: { id: "m", role: "agent", parts: [{ text: pieces.join("") }] } },
    ]);
  });
});

describe("a session that is left and opened again", { timeout: HANG_MS }, () => {
  it("needs no process while it waits, and goes on with the answer", async () => {
    const { hub, driver, submit, types } = await setUp();
    const id = await submit();
    const first = await driver.session(0);
    first.push({ kind: "session", continuation: { thread: "t-1" } });
    first.ask({ id: "q" });
    first.push({ kind: "parked" });
    await hub.until(id, ({ type }) => type === "session.parked");
    await eventually(() => expect(hub.engine.active).toBe(0));
    expect((await hub.hub.run(id)).status).toBe("waiting");
    await hub.hub.answer(id, { question_id: "q", parts: [textPart("go on")] });
    const second = await driver.session(1);
    expect(second.job).toMatchObject({
      resume: { pending: 1 },
      conversation: { continuation: { thread: "t-1" } },
    });
    await eventually(() => expect(second.heard).toMatchObject([{ questionId: "q" }]));
    second.end();
    expect((await hub.ended(id)).status).toBe("completed");
    expect(await types(id)).toEqual([
      "run.created",
      "run.queued",
      "run.started",
      "session.opened",
      "question.asked",
      "session.parked",
      "question.answered",
      "run.started",
      "question.delivered",
      "run.ended",
    ]);
  });

  it("is opened only to be cancelled", async () => {
    const { hub, driver, submit } = await setUp();
    const id = await submit();
    const first = await driver.session(0);
    first.push({ kind: "session", continuation: "c" });
    first.ask({ id: "q" });
    first.push({ kind: "parked" });
    await hub.until(id, ({ type }) => type === "session.parked");
    expect(await hub.hub.cancel(id, "enough")).toMatchObject({ status: "queued", questions: [] });
    const second = await driver.session(1);
    expect(second.job.resume).toEqual({ pending: 0, cancel: true });
    await aborted(second.signals.cancel);
    second.end("cancelled");
    expect(await hub.ended(id)).toMatchObject({ status: "cancelled", failure: { message: "enough" } });
  });

  it("that nobody opens to cancel it is ended after a while, and leaves no timer when its hub is closed", async () => {
    const clock = createManualClock();
    const { hub, driver, submit } = await setUp({ clock });
    const parked = async (index: number) => {
      const id = await submit();
      const session = await driver.session(index);
      session.push({ kind: "session", continuation: "c" });
      session.ask({ id: "q" });
      session.push({ kind: "parked" });
      await hub.until(id, ({ type }) => type === "session.parked");
      return id;
    };
    const ids = [await parked(0), await parked(1)];
    await eventually(() => expect(hub.engine.active).toBe(0));
    // No worker takes runs any more.
    await hub.engine.stop(0);
    expect((await hub.hub.cancel(ids[0] ?? "", "enough")).status).toBe("queued");
    clock.advance(30_000);
    expect(await hub.ended(ids[0] ?? "")).toMatchObject({
      status: "cancelled",
      failure: { message: "enough" },
    });
    await hub.hub.cancel(ids[1] ?? "", "enough");
    expect(clock.waiting).toBe(1);
    await hub.hub.close();
    expect(clock.waiting).toBe(0);
  });

  it("expires without an owner", async () => {
    const clock = createManualClock();
    const { hub, driver, submit } = await setUp({ clock });
    const id = await submit();
    const session = await driver.session(0);
    session.ask({ id: "q" });
    session.push({ kind: "parked" });
    await hub.until(id, ({ type }) => type === "session.parked");
    await eventually(() => expect(clock.waiting).toBe(1));
    clock.advance(3_600_000);
    expect(await hub.ended(id)).toMatchObject({ status: "failed", failure: { code: "NO_ANSWER" } });
  });
});

describe("a run that follows another", { timeout: HANG_MS }, () => {
  it("gets the way to go on and what was said before", async () => {
    const { hub, driver, submit } = await setUp();
    const first = await submit();
    const one = await driver.session(0);
    one.push({ kind: "session", continuation: { thread: 7 } });
    one.push({ kind: "message", message: { id: "m1", role: "agent", parts: [textPart("hello")] } });
    one.end();
    await hub.ended(first);
    const second = await submit({ follows: first, task: { description: "and then?" } });
    const two = await driver.session(1);
    expect(two.job.conversation).toMatchObject({ id: first, continuation: { thread: 7 } });
    expect(await two.job.conversation?.history()).toMatchObject([
      { role: "user", parts: [{ text: "talk" }] },
      { role: "agent", parts: [{ text: "hello" }] },
    ]);
    two.end();
    expect(await hub.ended(second)).toMatchObject({ conversation_id: first, follows: first });
    const { runs, messages } = await hub.hub.conversation(first);
    expect(runs.map(({ id }) => id)).toEqual([first, second]);
    expect(messages).toHaveLength(3);
  });

  it("waits for its turn where a conversation has one run at a time", async () => {
    const { hub, driver, submit } = await setUp({ talks: { follows: true, turns: "serial" } });
    const first = await submit({ conversation_id: "c-1" });
    await expect(submit({ conversation_id: "c-1" })).rejects.toMatchObject({ code: "CONVERSATION_BUSY" });
    (await driver.session(0)).end();
    await hub.ended(first);
    const second = await submit({ conversation_id: "c-1" });
    (await driver.session(1)).end();
    expect(await hub.ended(second)).toMatchObject({ follows: first, conversation_id: "c-1" });
  });
});

function aborted(signal: AbortSignal): Promise<true> {
  if (signal.aborted) return Promise.resolve(true);
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(true), { once: true }));
}

describe("a tree of runs", { timeout: HANG_MS }, () => {
  it("is stopped as a whole when its runs together exceed the limits of the one at its top", async () => {
    const { hub, driver, submit } = await setUp();
    const root = await submit({ constraints: { max_tokens: 100 } });
    const top = await driver.session(0);
    const children = [await submit({ parent_id: root }), await submit({ parent_id: root })];
    const [one, two] = [await driver.session(1), await driver.session(2)];
    one.event("llm_request", { input_tokens: 30, output_tokens: 30 });
    two.event("llm_request", { input_tokens: 30, output_tokens: 5 });
    await eventually(async () =>
      expect(await hub.hub.tally(root)).toMatchObject({ runs: 3, total_tokens: 95 }),
    );
    top.event("llm_request", { input_tokens: 5, output_tokens: 5 });
    await Promise.all([top, one, two].map(({ signals }) => aborted(signals.cancel)));
    for (const session of [top, one, two]) session.end("cancelled");
    for (const id of [root, ...children]) {
      expect((await hub.ended(id)).failure?.message).toContain("used too much together");
    }
    expect(await hub.hub.tally(root)).toEqual({
      runs: 3,
      live: 0,
      total_tokens: 105,
      cost_usd: 0,
      total_steps: 3,
    });
  });

  it("is stopped even if the last report is not on disk when the sum is due", async () => {
    const clock = createManualClock();
    const { hub, driver, submit } = await setUp({ clock });
    const root = await submit({ constraints: { max_tokens: 100 } });
    const top = await driver.session(0);
    await submit({ parent_id: root });
    const below = await driver.session(1);
    top.event("llm_request", { input_tokens: 60, output_tokens: 30 });
    await eventually(async () => expect(await hub.hub.tally(root)).toMatchObject({ total_tokens: 90 }));
    clock.advance(1000);
    below.event("llm_request", { input_tokens: 10, output_tokens: 1 });
    // At once: the report waits a moment for others before it is written.
    while (below.taken === 0) await setImmediate();
    await setImmediate();
    clock.advance(1000);
    expect(await Promise.all([top, below].map(({ signals }) => aborted(signals.cancel)))).toEqual([
      true,
      true,
    ]);
    for (const session of [top, below]) session.end("cancelled");
  });

  it("gives no part more time than the whole has left", async () => {
    const { hub, driver, submit } = await setUp();
    const root = await submit({ constraints: { timeout_seconds: 60 } });
    await driver.session(0);
    const child = await submit({ parent_id: root, constraints: { timeout_seconds: 600 } });
    expect((await hub.hub.run(child)).constraints.timeout_seconds).toBeLessThanOrEqual(60);
    expect(await hub.hub.run(child)).toMatchObject({ parent_id: root, root_id: root });
    for (const index of [0, 1]) (await driver.session(index)).end();
    await hub.ended(root);
    await expect(submit({ parent_id: root })).rejects.toMatchObject({ code: "RUN_ENDED" });
  });
});
