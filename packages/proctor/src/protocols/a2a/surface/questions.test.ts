// Agents that ask, behind A2A: a question is a state of the task, and a message to the task its answer, as far as it is one.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HANG_MS, eventually } from "../../../../test/support/eventually.ts";
import { openHubStage, userMessage, type HubStage } from "../../../../test/support/a2a/hub-stage.ts";
import type { ScriptedSession } from "../../../../test/support/scripted-driver.ts";
import type { NewQuestion } from "../../../core/question.ts";

let stage: HubStage;
beforeEach(async () => {
  stage = await openHubStage();
});
afterEach(() => stage.close());

const OPTIONS = [
  { id: "yes", name: "Go ahead", effect: "allow" as const },
  { id: "no", name: "Stop", effect: "deny" as const },
];

/** A task whose agent has asked. */
async function beginAsking(question: Partial<NewQuestion>) {
  const answered = stage.rpc("SendMessage", { message: userMessage("work") });
  const session = await stage.driver.session(0);
  session.ask({ id: "q1", ...question });
  const { task } = (await answered).result;
  return { task, session, tell: (parts: object[]) => tell(task.id, parts) };
}

const tell = (taskId: string, parts: object[]) =>
  stage.rpc("SendMessage", {
    message: userMessage("", { taskId, parts: parts as never }),
    configuration: { returnImmediately: true },
  });

const heard = (session: ScriptedSession) =>
  eventually(() => {
    expect(session.heard).toHaveLength(1);
    return session.heard[0];
  });

describe("a question behind A2A", { timeout: HANG_MS }, () => {
  it("ends the waiting of its client, and is answered by any text", async () => {
    const { task, session } = await beginAsking({ parts: [{ kind: "text", text: "Which city?" }] });
    expect(task.status).toMatchObject({
      state: "TASK_STATE_INPUT_REQUIRED",
      message: {
        role: "ROLE_AGENT",
        parts: [{ text: "Which city?" }, { data: { question_id: "q1", kind: "input" } }],
      },
    });
    const going = stage.rpc("SendMessage", { message: userMessage("Rome", { taskId: task.id }) });
    expect(await heard(session)).toMatchObject({
      questionId: "q1",
      answer: { outcome: "given", parts: [{ kind: "text", text: "Rome" }] },
    });
    session.end();
    expect((await going).result.task.status.state).toBe("TASK_STATE_COMPLETED");
  });

  it("that asks for permission is never answered by free text", async () => {
    const parts = [{ kind: "text" as const, text: "May I delete it?" }];
    const asked = await beginAsking({ kind: "permission", options: OPTIONS, parts });
    const { task, session, tell: say } = asked;
    expect(task.status).toMatchObject({
      state: "TASK_STATE_AUTH_REQUIRED",
      message: { role: "ROLE_AGENT", parts: [{ text: "May I delete it?" }, {}] },
    });
    const { result } = await say([{ text: "yes, of course, do it" }]);
    expect(result.task.status.state).toBe("TASK_STATE_AUTH_REQUIRED");
    expect(await heard(session)).toMatchObject({ role: "user" });
    session.heard.length = 0;
    await say([{ text: "Go ahead" }]);
    expect(await heard(session)).toMatchObject({ questionId: "q1", answer: { option: "yes" } });
  });

  it.each([
    ["the id of an option", [{ text: "no" }], { option: "no", outcome: "declined" }],
    ["data that names it", [{ data: { question_id: "q1", option: "yes" } }], { option: "yes" }],
    ["data that names an option", [{ data: { option: "yes" } }], { option: "yes" }],
  ])("that asks for permission is answered by %s", async (_, parts, answer) => {
    const { session, tell: say } = await beginAsking({ kind: "permission", options: OPTIONS });
    await say(parts);
    expect(await heard(session)).toMatchObject({ questionId: "q1", answer });
  });

  it("that is a form is answered by a data part, or by JSON as text, that fits", async () => {
    const schema = { type: "object", required: ["city"], properties: { city: { type: "string" } } };
    const { session, tell: say } = await beginAsking({ kind: "form", schema });
    expect((await say([{ data: { town: 1 } }])).error).toMatchObject({ code: -32602 });
    expect((await say([{ text: "Rome" }])).error).toMatchObject({ code: -32602 });
    await say([{ text: '{"city":"Rome"}' }]);
    expect(await heard(session)).toMatchObject({ questionId: "q1", answer: { data: { city: "Rome" } } });
  });

  it("that asks for credentials is answered only by data that names it", async () => {
    const { task, session, tell: say } = await beginAsking({ kind: "auth" });
    expect(task.status.state).toBe("TASK_STATE_AUTH_REQUIRED");
    await say([{ text: "hunter2" }]);
    expect(await heard(session)).toMatchObject({ role: "user" });
    session.heard.length = 0;
    await say([{ data: { question_id: "q1", data: { password: "hunter3" } } }]);
    expect(await heard(session)).toMatchObject({
      questionId: "q1",
      answer: { data: { password: "hunter3" } },
    });
    const log = JSON.stringify(await stage.hub.events(task.id, { limit: 100 }));
    expect(log).not.toContain("hunter3");
  });

  it("is answered once: whoever is later is refused, and the same message again is not", async () => {
    const { task, session } = await beginAsking({});
    const answer = (id: string) =>
      stage.rpc("SendMessage", {
        message: {
          ...userMessage(""),
          messageId: id,
          taskId: task.id,
          parts: [{ data: { question_id: "q1", data: id } }],
        },
        configuration: { returnImmediately: true },
      });
    const replies = await Promise.all(["a", "b"].map(answer));
    const refused = replies.filter(({ error }) => error !== undefined);
    expect(refused).toHaveLength(1);
    expect(refused[0].error).toMatchObject({ code: -32004 });
    await heard(session);
    const winner = replies[0].error === undefined ? "a" : "b";
    expect((await answer(winner)).error).toBeUndefined();
    expect(session.heard).toHaveLength(1);
  });

  it("is in the history with its answer, and credentials are not", async () => {
    const { task, session, tell: say } = await beginAsking({ kind: "auth" });
    await say([{ data: { question_id: "q1", data: { token: "s3cret" } } }]);
    await heard(session);
    session.end();
    await stage.ended(task.id);
    const { result } = await stage.rpc("GetTask", { id: task.id });
    expect(result.history.map(({ role }: { role: string }) => role)).toEqual(["ROLE_USER", "ROLE_AGENT"]);
    expect(JSON.stringify(result)).not.toContain("s3cret");
  });

  it("can be answered by nobody once its task has ended", async () => {
    const { task, session, tell: say } = await beginAsking({});
    session.end("failed");
    await stage.ended(task.id);
    const { error } = await say([{ data: { question_id: "q1", data: 1 } }]);
    expect(error).toMatchObject({ code: -32004 });
    const plain = await say([{ text: "hello?" }]);
    expect(plain.error.code).toBe(-32004);
    expect(plain.error.message).toContain(`contextId ${task.contextId}`);
  });
});

describe("a message to a task of A2A that works", { timeout: HANG_MS }, () => {
  it("is said to its agent, once", async () => {
    const begun = await stage.rpc("SendMessage", {
      message: userMessage("work"),
      configuration: { returnImmediately: true },
    });
    const session = await stage.driver.session(0);
    const message = userMessage("faster!", { taskId: begun.result.task.id });
    for (const _ of [1, 2])
      await stage.rpc("SendMessage", { message, configuration: { returnImmediately: true } });
    expect(await heard(session)).toMatchObject({ id: message["messageId"], parts: [{ text: "faster!" }] });
    const { result } = await stage.rpc("GetTask", { id: begun.result.task.id });
    expect(result.history.map(({ messageId }: { messageId: string }) => messageId)).toContain(
      message["messageId"],
    );
  });

  it("is refused with a hint where its agent cannot hear", async () => {
    await stage.close();
    stage = await openHubStage({ talks: { asks: ["permission"] } });
    const begun = await stage.rpc("SendMessage", {
      message: userMessage("work"),
      configuration: { returnImmediately: true },
    });
    const session = await stage.driver.session(0);
    expect((await tell(begun.result.task.id, [{ text: "psst" }])).error).toMatchObject({ code: -32004 });
    session.ask({ id: "q1", kind: "permission", options: OPTIONS });
    await stage.until(begun.result.task.id, ({ type }) => type === "question.asked");
    const { error } = await tell(begun.result.task.id, [{ text: "do it" }]);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("yes, no") });
  });

  it("is refused for a task that is nobody's, another agent's, or of another context", async () => {
    await stage.hub.addAgent({ name: "other", protocol: "atp", transport: "stdio", command: ["other"] });
    const { run } = await stage.hub.submit({ agent: "other", task: { description: "mine" } });
    expect((await tell("nothing", [{ text: "x" }])).error.code).toBe(-32001);
    expect((await tell(run.id, [{ text: "x" }])).error.code).toBe(-32001);
    const mine = await stage.hub.submit({ agent: "worker", task: { description: "mine" } });
    const message = userMessage("x", { taskId: mine.run.id, contextId: "elsewhere" });
    expect((await stage.rpc("SendMessage", { message })).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining("contextId"),
    });
    const foreign = userMessage("x", { contextId: run.conversation_id });
    expect((await stage.rpc("SendMessage", { message: foreign })).error).toMatchObject({ code: -32602 });
    expect((await stage.rpc("GetTask", { id: run.id })).error.code).toBe(-32001);
    expect((await stage.rpc("ListTasks", {})).result.tasks.map(({ id }: { id: string }) => id)).toEqual([
      mine.run.id,
    ]);
  });
});

describe("a question for people, behind A2A", { timeout: HANG_MS }, () => {
  /** A run that only a person may approve; its task is the run. */
  async function beginApproval() {
    const options = { conversation: { policy: { approval: "ask_human" as const } } };
    const { run } = await stage.hub.submit({ agent: "worker", task: { description: "plan" }, options });
    const session = await stage.driver.session(0);
    session.ask({ id: "q1", kind: "approval", options: OPTIONS, subject: { plan: ["a"] } });
    await stage.until(run.id, ({ type }) => type === "question.asked");
    return { id: run.id, session };
  }

  it("is shown as a state of the task, and answered by data that says which person answers", async () => {
    const { id, session } = await beginApproval();
    expect((await stage.rpc("GetTask", { id })).result.status).toMatchObject({
      state: "TASK_STATE_AUTH_REQUIRED",
      message: { parts: [{}, { data: { question_id: "q1", subject: { plan: ["a"] } } }] },
    });
    const by = { kind: "human", name: "ada" };
    const { result } = await tell(id, [{ data: { question_id: "q1", option: "yes", by } }]);
    expect(result.task.id).toBe(id);
    expect(await heard(session)).toMatchObject({ answer: { option: "yes", outcome: "given", by } });
  });

  it("is not answered by a program, nor by one that says to be a policy", async () => {
    const { id } = await beginApproval();
    for (const data of [
      { question_id: "q1", option: "yes" },
      { question_id: "q1", option: "yes", by: { kind: "policy" } },
      { question_id: "q1", option: "yes", by: "human" },
    ])
      expect((await tell(id, [{ data }])).error).toBeDefined();
    expect((await tell(id, [{ text: "yes" }])).error).toBeDefined();
    expect((await stage.hub.run(id)).status).toBe("waiting");
  });
});
