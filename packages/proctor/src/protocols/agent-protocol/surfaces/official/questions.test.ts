// Agents that ask and listen, behind the official API: a question is a step, an input is its answer, and other inputs are messages.
import { describe, expect, it } from "vitest";
import { HANG_MS, eventually } from "../../../../../test/support/eventually.ts";
import type { OfficialClient } from "../../../../../test/support/agent-protocol/official-client.ts";
import { useOfficialStage } from "../../../../../test/support/agent-protocol/official-stage.ts";
import type { Stage } from "../../../../../test/support/agent-protocol/surfaces-server.ts";
import type { ScriptedSession } from "../../../../../test/support/scripted-driver.ts";
import { textPart } from "../../../../core/message.ts";
import type { NewQuestion } from "../../../../core/question.ts";

const openStage = useOfficialStage();

interface Asked {
  stage: Stage;
  client: OfficialClient;
  task: string;
  session: ScriptedSession;
}

/** A task whose agent has begun. */
async function begin(additional_input = {}): Promise<Asked> {
  const { stage, client } = await openStage({ withAgent: true, talks: { says: true, asks: ["input"] } });
  const { task_id: task } = await client.createTask({ input: "do it", additional_input });
  await client.executeStep(task, undefined, "?wait=0");
  return { stage, client, task, session: await stage.driver.session(0) };
}

/** The same, and it has asked. */
async function beginAsking(question: Partial<NewQuestion>): Promise<Asked> {
  const asked = await begin();
  asked.session.ask({ id: "q 1/ä", ...question });
  await asked.stage.until(asked.task, ({ type }) => type === "question.asked");
  return asked;
}

const heardBy = (session: ScriptedSession) =>
  eventually(() => {
    expect(session.heard).toHaveLength(1);
    return session.heard[0];
  });

const post = (client: OfficialClient, task: string, body: object) =>
  client.send("POST", `/ap/v1/agent/tasks/${task}/steps?wait=0`, {
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });

describe("on the official API, a question of the agent", { timeout: HANG_MS }, () => {
  it("is the created step that a request gets at once, and that the list ends with", async () => {
    const { client, task, session, stage } = await begin();
    session.event("progress", { message: "first" });
    session.ask({ id: "q1", parts: [textPart("Which city?\nBerlin or Rome?")] });
    expect(await client.executeStep(task)).toMatchObject({ name: "first", status: "completed" });
    const step = await client.executeStep(task);
    expect(step).toMatchObject({
      name: "Question: Which city? Berlin or Rome?",
      status: "created",
      is_last: false,
      input: null,
      output: "Which city?\nBerlin or Rome?",
      additional_output: {
        question: {
          id: "q1",
          kind: "input",
          text: "Which city?\nBerlin or Rome?",
          blocking: true,
          audience: "client",
          expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      },
    });
    const { steps, pagination } = await client.listSteps(task);
    expect(steps.map(({ name }) => name)).toEqual(["first", step.name]);
    expect(pagination.total_items).toBe(2);
    expect(await client.getStep(task, step.step_id)).toEqual(step);
    expect(await client.getTask(task)).toMatchObject({ status: "running" });
    await stage.hub.cancel(task);
  });

  it("is answered by the next input, and the request that answers gets the next step", async () => {
    const { client, task, session } = await beginAsking({});
    const question = await client.executeStep(task);
    const next = client.executeStep(task, { input: "Rome" });
    expect(await heardBy(session)).toMatchObject({
      questionId: "q 1/ä",
      answer: { outcome: "given", parts: [{ text: "Rome" }] },
    });
    session.event("progress", { message: "going to Rome" });
    const step = await next;
    expect(step).toMatchObject({ name: "going to Rome", status: "completed" });
    expect(step.additional_output).not.toHaveProperty("warnings");
    expect(await client.getStep(task, question.step_id)).toMatchObject({
      name: question.name,
      status: "completed",
      input: "Rome",
      additional_output: { closed: "answered", answer: { outcome: "given" } },
    });
    expect((await client.listSteps(task)).steps.map(({ name }) => name)).toEqual(["going to Rome"]);
    session.end();
    expect(await client.executeStep(task)).toMatchObject({ name: "Result", is_last: true });
  });

  it("is shown once at once; who asks again without an answer waits, and is shown it as it is", async () => {
    const { client, task, session } = await beginAsking({});
    const first = await client.executeStep(task);
    const again = await client.executeStep(task, undefined, "?wait=0.01");
    expect(again).toEqual(first);
    const waiting = client.executeStep(task);
    session.push({ kind: "withdrawn", questionId: "q 1/ä", reason: "found out by itself" });
    session.event("progress", { message: "went on" });
    expect(await waiting).toMatchObject({ name: "went on" });
    expect(await client.getStep(task, first.step_id)).toMatchObject({
      status: "completed",
      input: null,
      additional_output: { closed: "withdrawn" },
    });
    session.end();
    await client.executeStep(task);
  });

  it("for permission is answered only by an option's id or exact name", async () => {
    const { client, task, session } = await beginAsking({ kind: "permission", subject: { tool: "rm" } });
    expect(await client.executeStep(task)).toMatchObject({
      name: "Permission: what?",
      additional_output: {
        question: {
          kind: "permission",
          subject: { tool: "rm" },
          options: [
            { id: "allow", name: "Allow", effect: "allow" },
            { id: "deny", name: "Deny", effect: "deny" },
          ],
        },
      },
    });
    for (const input of ["yes", "allow it", "ALLOW", "y"]) {
      const { status, body } = await post(client, task, { input });
      expect([status, body["code"]]).toEqual([422, "INVALID_REQUEST"]);
      expect(body["message"]).toContain("choose one of: allow (Allow), deny (Deny)");
    }
    expect(session.heard).toEqual([]);
    expect((await post(client, task, { input: "Deny" })).status).toBe(200);
    expect(await heardBy(session)).toMatchObject({ answer: { outcome: "declined", option: "deny" } });
    session.end();
    await client.executeStep(task);
  });

  it("for permission is not answered by an input that came before anybody was shown it", async () => {
    const { client, task, session } = await beginAsking({ kind: "permission" });
    const step = await client.executeStep(task, { input: "allow" });
    expect(step).toMatchObject({
      status: "created",
      additional_output: { question: { kind: "permission" } },
    });
    expect(step.additional_output?.["warnings"]).toEqual([
      expect.stringContaining("input of the step is not used: the task asks a question that was not shown"),
    ]);
    expect(session.heard).toEqual([]);
    await client.executeStep(task, { input: "allow" }, "?wait=0");
    expect(await heardBy(session)).toMatchObject({ answer: { option: "allow" } });
    session.end();
    await client.executeStep(task);
  });

  it("takes an exact answer by its id, once", async () => {
    const { client, task, session } = await beginAsking({ kind: "approval" });
    const exact = { question_id: "q 1/ä", option: "allow", answer_id: "a-1" };
    expect((await post(client, task, { additional_input: exact })).status).toBe(200);
    expect(await heardBy(session)).toMatchObject({ answer: { id: "a-1", option: "allow" } });
    expect((await post(client, task, { additional_input: exact })).status).toBe(200);
    const late = { question_id: "q 1/ä", outcome: "declined" };
    expect(await post(client, task, { additional_input: late })).toMatchObject({
      status: 409,
      body: { code: "ANSWERED_ALREADY" },
    });
    const other = { question_id: "never asked", option: "allow" };
    expect(await post(client, task, { additional_input: other })).toMatchObject({
      status: 404,
      body: { code: "QUESTION_NOT_FOUND" },
    });
    expect(session.heard).toHaveLength(1);
    session.end();
    await stageEnd(client, task);
    expect((await post(client, task, { additional_input: late })).status).toBe(409);
  });

  it.each([
    { question_id: 5 },
    { question_id: "" },
    { question_id: "x".repeat(401) },
    { option: ["allow"] },
    { outcome: "maybe" },
    { question_id: "q 1/ä", answer_id: {} },
  ])("refuses the answer %j", async (additional_input) => {
    const { client, task, session } = await beginAsking({});
    expect((await post(client, task, { input: "x", additional_input })).status).toBe(422);
    expect(session.heard).toEqual([]);
    session.end();
    await stageEnd(client, task);
  });

  it("for a form takes data, or a text that is its JSON", async () => {
    const schema = { type: "object", required: ["city"] };
    const { client, task, session } = await beginAsking({ kind: "form", schema });
    expect(await client.executeStep(task)).toMatchObject({ additional_output: { question: { schema } } });
    expect((await post(client, task, { input: "Rome" })).status).toBe(422);
    expect((await post(client, task, { input: '{"city":"Rome"}' })).status).toBe(200);
    expect(await heardBy(session)).toMatchObject({ answer: { data: { city: "Rome" } } });
    session.ask({ id: "q2", kind: "form" });
    await client.executeStep(task);
    expect((await post(client, task, { additional_input: { data: { city: "Bonn" } } })).status).toBe(200);
    await eventually(() => expect(session.heard[1]).toMatchObject({ answer: { data: { city: "Bonn" } } }));
    session.end();
    await stageEnd(client, task);
  });

  it("for credentials keeps them out of everything that is shown or stored", async () => {
    const { client, task, session, stage } = await beginAsking({ kind: "auth" });
    const question = await client.executeStep(task);
    await post(client, task, { input: "tok-very-secret" });
    expect(await heardBy(session)).toMatchObject({ answer: { parts: [{ text: "tok-very-secret" }] } });
    session.event("progress", { message: "signed in with tok-very-secret" });
    const shown = [await client.executeStep(task), await client.getStep(task, question.step_id)];
    session.end();
    await stageEnd(client, task);
    const everything = [shown, await client.listSteps(task), await stage.log(task)];
    expect(JSON.stringify(everything)).not.toContain("tok-very-secret");
  });

  it("that is for a person cannot be answered here", async () => {
    const { client, task, session, stage } = await begin();
    const policy = { permission: "ask_human" as const };
    const { run } = await stage.hub.submit({
      agent: "atp+stdio:scripted",
      task: { description: "x" },
      options: { conversation: { policy } },
    });
    const other = await stage.driver.session(1);
    other.ask({ id: "p", kind: "permission" });
    const step = await client.executeStep(run.id);
    expect(step).toMatchObject({ additional_output: { question: { audience: "human" } } });
    expect((await post(client, run.id, { input: "Allow" })).status).toBe(403);
    for (const each of [session, other]) each.end();
    for (const id of [task, run.id]) await stageEnd(client, id);
  });

  it("ends the task when nobody answers in time", async () => {
    const { client, task, session } = await begin();
    session.ask({ id: "q", expires_at: new Date(0).toISOString() });
    await eventually(() => expect(session.signals.cancel.aborted).toBe(true));
    session.end("failed");
    await expect
      .poll(() => client.executeStep(task))
      .toMatchObject({ is_last: true, additional_output: { error: { code: "NO_ANSWER" } } });
  });
});

/** Asks for steps until the last. */
async function stageEnd(client: OfficialClient, task: string): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) if ((await client.executeStep(task)).is_last) return;
  throw new Error("the task has no last step");
}

describe("on the official API, an input while nothing is asked", { timeout: HANG_MS }, () => {
  it("is said to an agent that hears, with its additional input", async () => {
    const { client, task, session } = await begin();
    const body = { input: "faster, please", additional_input: { mood: "hurried" } };
    const next = client.executeStep(task, body);
    expect(await heardBy(session)).toMatchObject({
      role: "user",
      parts: [{ kind: "text", text: "faster, please" }],
      extensions: { mood: "hurried" },
    });
    session.event("progress", { message: "hurrying" });
    const step = await next;
    expect(step).toMatchObject({ name: "hurrying" });
    expect(step.additional_output).not.toHaveProperty("warnings");
    await post(client, task, { additional_input: { level: 2 } });
    await eventually(() =>
      expect(session.heard[1]).toMatchObject({ parts: [{ kind: "data", data: { level: 2 } }] }),
    );
    session.end();
    await stageEnd(client, task);
  });

  it("of the request that starts the agent reaches it as well", async () => {
    const { stage, client } = await openStage({ withAgent: true, talks: { says: true } });
    const { task_id: task } = await client.createTask({ input: "do it", additional_input: { depth: 3 } });
    const first = client.executeStep(task, { input: "begin with the roof" });
    const session = await stage.driver.session(0);
    expect(session.job.task).toMatchObject({ description: "do it", input_data: { depth: 3 } });
    expect(await heardBy(session)).toMatchObject({ parts: [{ text: "begin with the roof" }] });
    session.end();
    expect((await first).is_last).toBe(true);
  });

  it("is not used where the agent does not hear, and that is said", async () => {
    const { stage, client } = await openStage({ withAgent: true });
    const { task_id: task } = await client.createTask({ input: "do it" });
    const first = client.executeStep(task, { input: "more", name: "mine" });
    const session = await stage.driver.session(0);
    session.end();
    expect((await first).additional_output?.["warnings"]).toEqual([
      "input and name of the step is not used: atp+stdio:scripted works by itself once it has its task",
    ]);
    expect(session.heard).toEqual([]);
  });
});

describe("on /api, a question of the agent", { timeout: HANG_MS }, () => {
  it("is no step: an action is denied, and a task that needs input fails", async () => {
    const { stage, client } = await openStage({ withAgent: true, talks: { asks: ["input", "permission"] } });
    const create = async (): Promise<string> => {
      const { body } = await client.send("POST", "/api/tasks", {
        body: JSON.stringify({ task: "ask me" }),
        headers: { "content-type": "application/json" },
      });
      return (body["agent"] as { id: string }).id;
    };
    const task = await create();
    const session = await stage.driver.session(0);
    session.ask({ id: "p", kind: "permission" });
    expect(await heardBy(session)).toMatchObject({ answer: { outcome: "declined", by: { kind: "policy" } } });
    session.ask({ id: "q" });
    await eventually(() => expect(session.signals.cancel.aborted).toBe(true));
    session.end("failed");
    expect(await stage.ended(task)).toMatchObject({ status: "failed", failure: { code: "NO_ANSWER" } });
    const { body } = await client.send("GET", `/api/tasks/${task}/steps`);
    expect(body["steps"]).toMatchObject([{ name: "Result", status: "failed" }]);
  });
});
