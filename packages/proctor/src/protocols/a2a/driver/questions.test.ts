// Tasks that wait for somebody, through a hub: asked, left, answered, gone on with, withdrawn.
import { afterEach, describe, expect, it } from "vitest";
import { HANG_MS, eventually } from "../../../../test/support/eventually.ts";
import { serveA2a, type Asked, type AskedStream } from "../../../../test/support/a2a/scripted-server.ts";
import { openSession } from "../../../../test/support/a2a/open-session.ts";
import { CONTEXT, statusFrame, TASK, taskOf } from "../../../../test/support/a2a/task-words.ts";
import { openTestHub, type TestHub } from "../../../../test/support/test-hub.ts";
import type { JsonObject } from "../../../core/json.ts";
import { textPart } from "../../../core/message.ts";

let hub: TestHub | undefined;
afterEach(async () => {
  await hub?.close();
  hub = undefined;
});

const options = { conversation: {} };
const task = { description: "book a flight" };

function messageIn({ params }: Asked): JsonObject {
  return params["message"] as JsonObject;
}

/** Asks for a date, and is done when it has one. Streams end at the question, as in HTTP+JSON. */
function asksOnce(asked: Asked): void | Promise<void> {
  switch (asked.operation) {
    case "stream":
      return messageIn(asked)["taskId"] === undefined ? ask(asked.stream()) : finish(asked.stream());
    case "getTask":
      return asked.result(taskOf("INPUT_REQUIRED", {}, "when?"));
    default:
      return asked.error(-32601, "no");
  }
}

async function ask(stream: AskedStream): Promise<void> {
  await stream.frame({ task: taskOf("SUBMITTED") });
  await stream.frame(statusFrame("INPUT_REQUIRED", "when?"));
  stream.end();
}

async function finish(stream: AskedStream): Promise<void> {
  await stream.frame({ task: taskOf("WORKING") });
  await stream.frame(statusFrame("COMPLETED", "booked"));
  stream.end();
}

describe("a task that needs input", { timeout: HANG_MS }, () => {
  it("makes its run wait without holding anything, and goes on with the answer", async () => {
    const served = await serveA2a(asksOnce);
    hub = await openTestHub();
    const { run } = await hub.hub.submit({ agent: `a2a+${served.url}`, task, options });
    const parked = await hub.until(run.id, ({ type }) => type === "session.parked");
    expect(parked.payload).toMatchObject({ check_at: expect.any(String) as string });
    const waiting = await hub.hub.run(run.id);
    expect(waiting).toMatchObject({
      status: "waiting",
      questions: [{ id: `${TASK}/1`, kind: "input", parts: [{ kind: "text", text: "when?" }] }],
    });
    await eventually(() => expect(hub?.engine.active).toBe(0));
    await hub.hub.answer(run.id, { question_id: `${TASK}/1`, id: "ans-1", parts: [textPart("tomorrow")] });
    expect(await hub.ended(run.id)).toMatchObject({ status: "completed" });
    const sent = served.asked.filter(({ operation }) => operation === "stream").map(messageIn);
    expect(sent).toMatchObject([
      { messageId: run.id, parts: [{ text: "book a flight" }] },
      { messageId: "ans-1", taskId: TASK, contextId: CONTEXT, parts: [{ text: "tomorrow" }] },
    ]);
    const types = (await hub.log(run.id)).map(({ type }) => type);
    expect(types.filter((type) => type === "question.asked")).toHaveLength(1);
    expect(types.filter((type) => type === "question.delivered")).toHaveLength(1);
    const said = await hub.hub.messages(run.id);
    expect(said.at(-1)?.message.parts).toMatchObject([{ text: "booked" }]);
  });

  it("asks once, though the task still waits, with its question in the history, when the answer has come", async () => {
    const timestamp = "2026-01-02T03:04:05Z";
    const question = { messageId: "q", role: "ROLE_AGENT", parts: [{ text: "when?" }] };
    const served = await serveA2a(async (asked) => {
      const status = { state: "TASK_STATE_INPUT_REQUIRED", timestamp };
      if (asked.operation === "getTask")
        return asked.result(taskOf("INPUT_REQUIRED", { status: { ...status, message: question } }));
      const stream = asked.stream();
      if (messageIn(asked)["taskId"] === undefined) {
        await stream.frame({
          statusUpdate: { taskId: TASK, contextId: CONTEXT, status: { ...status, message: question } },
        });
        return stream.end();
      }
      await stream.frame({
        task: taskOf("INPUT_REQUIRED", { status, history: [question, messageIn(asked)] }),
      });
      return finish(stream);
    });
    hub = await openTestHub();
    const { run } = await hub.hub.submit({ agent: `a2a+${served.url}`, task, options });
    await hub.until(run.id, ({ type }) => type === "session.parked");
    await hub.hub.answer(run.id, { question_id: `${TASK}/1`, parts: [textPart("tomorrow")] });
    expect(await hub.ended(run.id)).toMatchObject({ status: "completed" });
    const types = (await hub.log(run.id)).map(({ type }) => type);
    expect(types.filter((type) => type.startsWith("question."))).toEqual([
      "question.asked",
      "question.answered",
      "question.delivered",
    ]);
  });

  it("gets an answer that has the id of a message before it, and does not take that one for it", async () => {
    const first = { messageId: "m-1", role: "ROLE_USER", parts: [{ text: "book a flight" }] };
    const served = await serveA2a((asked) => {
      if (asked.operation !== "getTask") return asksOnce(asked);
      return asked.result(taskOf("INPUT_REQUIRED", { history: [first] }, "when?"));
    });
    hub = await openTestHub();
    const message = { id: "m-1", parts: [textPart("book a flight")] };
    const { run } = await hub.hub.submit({ agent: `a2a+${served.url}`, task, message, options });
    await hub.until(run.id, ({ type }) => type === "session.parked");
    await hub.hub.answer(run.id, { question_id: `${TASK}/1`, id: "m-1", parts: [textPart("tomorrow")] });
    expect(await hub.ended(run.id)).toMatchObject({ status: "completed" });
    const sent = served.asked.filter(({ operation }) => operation === "stream").map(messageIn);
    expect(sent.map(({ parts }) => parts)).toEqual([[{ text: "book a flight" }], [{ text: "tomorrow" }]]);
  });

  it("is gone on with after a restart, and the answer given meanwhile reaches it once", async () => {
    const served = await serveA2a(asksOnce);
    const first = await openTestHub();
    const { run } = await first.hub.submit({ agent: `a2a+${served.url}`, task, options });
    await first.until(run.id, ({ type }) => type === "session.parked");
    const { folder } = first;
    await first.hub.close();
    hub = await openTestHub({ folder });
    await hub.hub.answer(run.id, { question_id: `${TASK}/1`, parts: [textPart("tomorrow")] });
    expect(await hub.ended(run.id)).toMatchObject({ status: "completed" });
    const answers = served.asked.filter((asked) => asked.operation === "stream").map(messageIn);
    expect(answers).toHaveLength(2);
    const types = (await hub.log(run.id)).map(({ type }) => type);
    expect(types.filter((type) => type === "question.asked")).toHaveLength(1);
    // The card was read once: who goes on knows the interface.
    expect(served.asked.filter(({ operation }) => operation === "card")).toHaveLength(1);
  });

  it("is answered by a policy at once, without being left", async () => {
    const served = await serveA2a(asksOnce);
    hub = await openTestHub();
    const policy = { conversation: { policy: { input: { answer: "today" } } } };
    const { run } = await hub.hub.submit({ agent: `a2a+${served.url}`, task, options: policy });
    expect(await hub.ended(run.id)).toMatchObject({ status: "completed" });
    const types = (await hub.log(run.id)).map(({ type }) => type);
    expect(types).not.toContain("session.parked");
    expect(messageIn(served.asked.at(-1) as Asked)).toMatchObject({ parts: [{ text: "today" }] });
  });

  it("fails its run where nobody can be asked, and is cancelled", async () => {
    const served = await serveA2a(asksOnce);
    hub = await openTestHub();
    const { run } = await hub.hub.submit({ agent: `a2a+${served.url}`, task });
    expect(await hub.ended(run.id)).toMatchObject({ status: "failed", failure: { code: "NO_ANSWER" } });
    expect(served.asked.map(({ operation }) => operation)).toContain("cancelTask");
  });

  it("is cancelled while it waits and nobody holds it", async () => {
    const served = await serveA2a((asked) =>
      asked.operation === "cancelTask" ? asked.result(taskOf("CANCELED")) : asksOnce(asked),
    );
    hub = await openTestHub();
    const { run } = await hub.hub.submit({ agent: `a2a+${served.url}`, task, options });
    await hub.until(run.id, ({ type }) => type === "session.parked");
    await hub.hub.cancel(run.id);
    expect(await hub.ended(run.id)).toMatchObject({ status: "cancelled", questions: [] });
    expect(served.asked.filter(({ operation }) => operation === "cancelTask")).toHaveLength(1);
  });
});

describe("a task that needs authorisation", { timeout: HANG_MS }, () => {
  it("keeps its stream while the agent keeps it, and withdraws the question when the agent goes on by itself", async () => {
    let stream: AskedStream | undefined;
    const served = await serveA2a(async (asked) => {
      stream = asked.stream();
      await stream.frame({ task: taskOf("SUBMITTED") });
      await stream.frame(statusFrame("AUTH_REQUIRED", "sign in at https://idp.example"));
    });
    hub = await openTestHub();
    const { run } = await hub.hub.submit({ agent: `a2a+${served.url}`, task, options });
    await hub.until(run.id, ({ type }) => type === "question.asked");
    expect(await hub.hub.run(run.id)).toMatchObject({ status: "waiting", questions: [{ kind: "auth" }] });
    await stream?.frame(statusFrame("WORKING", "signed in"));
    await hub.until(run.id, ({ type }) => type === "question.withdrawn");
    expect(await hub.hub.run(run.id)).toMatchObject({ status: "running", questions: [] });
    await stream?.frame(statusFrame("COMPLETED"));
    stream?.end();
    expect(await hub.ended(run.id)).toMatchObject({ status: "completed" });
    const log = await hub.log(run.id);
    expect(log.filter(({ type }) => type === "violation")).toEqual([]);
    expect(log.map(({ type }) => type)).not.toContain("session.parked");
  });

  it("is looked after when its time has come, asked again for nothing, and ends when it has gone on", async () => {
    let isAuthorised = false;
    const served = await serveA2a(async (asked) => {
      if (asked.operation === "getTask") {
        return asked.result(
          isAuthorised ? taskOf("COMPLETED", {}, "done") : taskOf("AUTH_REQUIRED", {}, "sign in"),
        );
      }
      const stream = asked.stream();
      await stream.frame({ task: taskOf("AUTH_REQUIRED", {}, "sign in") });
      stream.end();
    });
    const first = openSession({ protocol: "a2a", transport: "http", url: served.url });
    await first.done;
    const { checkAt } = await first.heard("parked");
    expect(Date.parse(checkAt ?? "")).not.toBeNaN();
    const { continuation } = first.all("session").at(-1) ?? { continuation: null };
    const conversation = { id: "c", history: () => Promise.resolve([]), continuation };
    const goOn = { conversation, resume: { pending: 0 } };

    const second = openSession({ protocol: "a2a", transport: "http", url: served.url }, goOn);
    await second.done;
    // The engine knows the question by its id, and asks it once.
    expect(second.all("question").map(({ question }) => question.id)).toEqual([`${TASK}/1`]);
    const later = (await second.heard("parked")).checkAt ?? "";
    expect(Date.parse(later)).toBeGreaterThan(Date.parse(checkAt ?? ""));

    isAuthorised = true;
    const third = openSession({ protocol: "a2a", transport: "http", url: served.url }, goOn);
    expect(await third.end()).toMatchObject({ status: "completed" });
    expect(third.all("withdrawn")).toMatchObject([{ questionId: `${TASK}/1` }]);
    expect(third.said()).toEqual(["done"]);
  });
});

describe("what is said to a task at work", { timeout: HANG_MS }, () => {
  it("reaches it beside its stream, under the id of the client's message", async () => {
    let stream: AskedStream | undefined;
    const served = await serveA2a(async (asked) => {
      if (asked.operation === "send") {
        asked.result({ task: taskOf("WORKING") });
        await stream?.frame(statusFrame("COMPLETED", "in blue then"));
        return stream?.end();
      }
      stream = asked.stream();
      await stream.frame({ task: taskOf("WORKING") });
    });
    hub = await openTestHub();
    const { run } = await hub.hub.submit({ agent: `a2a+${served.url}`, task, options });
    await hub.until(run.id, ({ type }) => type === "session.opened");
    await hub.hub.say(run.id, { id: "said-1", parts: [textPart("in blue")] });
    expect(await hub.ended(run.id)).toMatchObject({ status: "completed" });
    const said = served.asked.find(({ operation }) => operation === "send");
    expect(messageIn(said as Asked)).toMatchObject({
      messageId: "said-1",
      taskId: TASK,
      parts: [{ text: "in blue" }],
    });
    await eventually(async () => {
      expect((await hub?.log(run.id))?.map(({ type }) => type)).toContain("message.delivered");
    });
  });
});

describe("a run that follows another", { timeout: HANG_MS }, () => {
  it("is a new task in the same context that names the one before", async () => {
    const served = await serveA2a(async (asked) => finish(asked.stream()));
    hub = await openTestHub();
    const agent = `a2a+${served.url}`;
    const { run } = await hub.hub.submit({ agent, task, options });
    await hub.ended(run.id);
    const next = await hub.hub.submit({ agent, task: { description: "and back" }, options, follows: run.id });
    await hub.ended(next.run.id);
    const [first, second] = served.asked.filter(({ operation }) => operation === "stream").map(messageIn);
    expect(first).not.toHaveProperty("contextId");
    expect(second).toMatchObject({ contextId: CONTEXT, referenceTaskIds: [TASK] });
    expect(second).not.toHaveProperty("taskId");
  });
});
