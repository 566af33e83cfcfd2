// Answers by envelope: from people who were told, and from those who may steer; nobody else, whatever they say.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually, HANG_MS } from "../../test/support/eventually.ts";
import { openTestMessages, type TestMessages } from "../../test/support/messages/open-test-messages.ts";
import { createScriptedDriver, type ScriptedDriver } from "../../test/support/scripted-driver.ts";
import type { Caller } from "../core/caller.ts";
import type { Envelope, EnvelopeDraft } from "../core/envelope.ts";
import type { JsonObject } from "../core/json.ts";
import type { RunOptions } from "../core/run-options.ts";
import type { ScopeGrant } from "../core/scope.ts";

const ADA = "user:ada";
const OPTIONS = { conversation: { policy: { approval: "ask_human" as const }, notify: [ADA] } };
let test: TestMessages;
let driver: ScriptedDriver;

beforeEach(async () => {
  driver = createScriptedDriver({ talks: { asks: ["approval", "input"] } });
  test = await openTestMessages({ driver });
  await test.hub.addAgent({ name: "worker", protocol: "x", transport: "stdio", command: ["w"] });
});
afterEach(() => test.close());

async function ask(options: RunOptions = OPTIONS, question = {}) {
  const index = driver.sessions.length;
  const { run } = await test.hub.submit({ agent: "worker", task: { description: "d" }, options });
  const session = await driver.session(index);
  session.ask({ id: "q", kind: "approval", ...question });
  await test.until(run.id, ({ type }) => type === "question.asked");
  return { id: run.id, session };
}

const person = (name: string, ...scopes: ScopeGrant[]): Caller => ({
  name: `token:${name}`,
  scopes: ["messages:send", ...scopes],
  binding: { kind: "user", name },
});

function envelope(payload: JsonObject, change: Partial<EnvelopeDraft> = {}): EnvelopeDraft {
  return { id: "e1", from: ADA, to: "hub", type: "request", action: "answer", payload, ...change };
}

async function repliesTo(receiver: string): Promise<Envelope[]> {
  const options = { after: 0, limit: 100, waitMs: 0 };
  const entries = await test.messages.receive(receiver, options, AbortSignal.timeout(HANG_MS));
  return entries.map(({ envelope: each }) => each).filter(({ action }) => action === "answer");
}

async function refusal(draft: EnvelopeDraft, caller: Caller): Promise<unknown> {
  await test.messages.send(draft, caller);
  return (await repliesTo(draft.from ?? "")).find(({ inReplyTo }) => inReplyTo === draft.id)?.payload;
}

describe("An answer by envelope", { timeout: HANG_MS }, () => {
  it("of somebody who was told closes the question, in that person's name, without any scope for runs", async () => {
    const { id, session } = await ask();
    const payload = { run_id: id, question_id: "q", option: "allow" };
    await test.messages.send(envelope(payload), person("ada"));
    await eventually(() =>
      expect(session.heard).toMatchObject([
        { answer: { option: "allow", outcome: "given", by: { kind: "human", name: "ada" } } },
      ]),
    );
    expect(await repliesTo(ADA)).toMatchObject([
      { type: "response", inReplyTo: "e1", payload: { run_id: id, question_id: "q", status: "running" } },
    ]);
  });

  it("that is sent twice, or done again after a crash, is given once", async () => {
    const { id, session } = await ask();
    const draft = envelope({ run_id: id, question_id: "q", option: "deny" });
    await test.messages.send(draft, person("ada"));
    expect((await test.messages.send(draft, person("ada"))).created).toBe(false);
    await eventually(() => expect(session.heard).toHaveLength(1));
    const late = envelope({ run_id: id, question_id: "q", option: "allow" }, { id: "e2" });
    expect(await refusal(late, person("ada"))).toMatchObject({ code: "ANSWERED_ALREADY" });
  });

  it("may be a response to the hub's request", async () => {
    const { id, session } = await ask();
    const payload = { run_id: id, question_id: "q", option: "allow" };
    await test.messages.send(envelope(payload, { type: "response" }), person("ada"));
    await eventually(() => expect(session.heard).toMatchObject([{ answer: { option: "allow" } }]));
  });

  it("gives text to a question for input, and data to a form", async () => {
    const conversation = { conversation: { notify: [ADA] } };
    const input = await ask(conversation, { kind: "input" });
    await test.messages.send(envelope({ run_id: input.id, question_id: "q", text: "blue" }), person("ada"));
    await eventually(() =>
      expect(input.session.heard).toMatchObject([{ answer: { parts: [{ text: "blue" }] } }]),
    );
    const form = await ask(conversation, { kind: "form" });
    const data = { run_id: form.id, question_id: "q", data: { size: 3 } };
    await test.messages.send(envelope(data, { id: "e2" }), person("ada"));
    await eventually(() => expect(form.session.heard).toMatchObject([{ answer: { data: { size: 3 } } }]));
  });

  it.each([
    ["of a person who was not told", person("eve"), "user:eve"],
    ["of a person who may only read", person("eve", "runs:read", "goals:read"), "user:eve"],
    ["of a token for goals, where the run is none", person("eve", "goals:write"), "user:eve"],
    ["of another agent, bound to itself", bound("other", "runs:write"), "other"],
  ])("%s is refused, and tells nothing of the run", async (_who, caller, from) => {
    const { id } = await ask();
    const payload = { run_id: id, question_id: "q", option: "allow" };
    expect(await refusal(envelope(payload, { from }), caller)).toMatchObject({ code: "FORBIDDEN" });
    const nowhere = "01890000-0000-7000-8000-000000000000";
    const missing = envelope({ ...payload, run_id: nowhere }, { id: "e2", from });
    expect(await refusal(missing, caller)).toMatchObject({ code: "FORBIDDEN" });
    expect((await test.hub.run(id)).status).toBe("waiting");
  });

  it("of the agent that asks approves nothing", async () => {
    const { id } = await ask();
    const draft = envelope({ run_id: id, question_id: "q", option: "allow" }, { from: "worker" });
    expect(await refusal(draft, bound("worker", "runs:write"))).toMatchObject({ code: "FORBIDDEN" });
    expect((await test.hub.run(id)).status).toBe("waiting");
  });

  it("in another's name is not even taken", async () => {
    const { id } = await ask();
    const draft = envelope({ run_id: id, question_id: "q", option: "allow" });
    await expect(test.messages.send(draft, person("eve", "runs:write"))).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
  });

  it("of whoever may steer runs counts, and of whoever may steer goals where the run is one", async () => {
    const first = await ask({ conversation: { policy: { approval: "ask_human" } } });
    const answer = (id: string) => ({ run_id: id, question_id: "q", option: "allow" });
    await test.messages.send(envelope(answer(first.id), { from: "user:bob" }), person("bob", "runs:write"));
    await eventually(() => expect(first.session.heard).toMatchObject([{ answer: { by: { name: "bob" } } }]));
    const goal = await ask({ conversation: { policy: { approval: "ask_human" } }, goal: {} });
    const draft = envelope(answer(goal.id), { id: "e2", from: "user:bob" });
    await test.messages.send(draft, person("bob", "goals:write"));
    await eventually(() => expect(goal.session.heard).toHaveLength(1));
  });

  it.each([
    ["names no run", { question_id: "q", option: "allow" }],
    ["has an option that is none", { option: 1 }],
    ["has a text that is none", { text: {} }],
    ["has another outcome", { outcome: "maybe" }],
  ])("that %s is refused with the field", async (_what, payload) => {
    const { id } = await ask();
    const named = "question_id" in payload ? payload : { run_id: id, question_id: "q", ...payload };
    expect(await refusal(envelope(named), person("ada"))).toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining("payload.") as string,
    });
  });

  it("never approves by free text", async () => {
    const { id } = await ask();
    const draft = envelope({ run_id: id, question_id: "q", text: "yes, go ahead" });
    expect(await refusal(draft, person("ada"))).toMatchObject({ code: "INVALID_REQUEST" });
    expect((await test.hub.run(id)).status).toBe("waiting");
  });
});

function bound(name: string, ...scopes: ScopeGrant[]): Caller {
  return { name: "token:1", scopes: ["messages:send", ...scopes], binding: { kind: "agent", name } };
}
