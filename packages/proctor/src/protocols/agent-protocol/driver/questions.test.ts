// A hub behind a hub: what the agent of one asks, the client of the other is asked.
import { afterEach, describe, expect, it } from "vitest";
import { HANG_MS, eventually } from "../../../../test/support/eventually.ts";
import { openStage, type Stage } from "../../../../test/support/agent-protocol/surfaces-server.ts";
import { openTestHub, type TestHub } from "../../../../test/support/test-hub.ts";
import { textPart } from "../../../core/message.ts";
import type { RunOptions } from "../../../core/run-options.ts";
import { questionIn } from "./questions.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A run of the first hub, whose agent is the agent of the second. */
async function begin(options: RunOptions): Promise<{ near: TestHub; far: Stage; id: string }> {
  const near = await openTestHub();
  const far = await openStage({ withAgent: true, talks: { asks: ["input", "permission"] } });
  closers.push(
    () => near.close(),
    () => far.close(),
  );
  const agent = { protocol: "ap", transport: "http", url: far.url };
  const { run } = await near.hub.submit({ agent, task: { description: "ask me" }, options });
  return { near, far, id: run.id };
}

describe("an Agent Protocol server that is a hub", { timeout: HANG_MS }, () => {
  it("asks what its agent asks, and its agent gets the answer", async () => {
    const { near, far, id } = await begin({ conversation: {} });
    const session = await far.driver.session(0);
    session.event("progress", { message: "looking" });
    session.ask({ id: "q1", parts: [textPart("Which city?")] });
    await near.until(id, ({ type }) => type === "question.asked");
    expect(await near.hub.run(id)).toMatchObject({
      status: "waiting",
      questions: [{ id: "q1", kind: "input", parts: [{ text: "Which city?" }] }],
    });
    await near.hub.answer(id, { question_id: "q1", id: "a1", parts: [textPart("Rome")] });
    await eventually(() =>
      expect(session.heard).toMatchObject([
        { questionId: "q1", answer: { id: "a1", outcome: "given", parts: [{ text: "Rome" }] } },
      ]),
    );
    session.ask({ id: "p1", kind: "permission", subject: { tool: "rm" } });
    await near.until(id, (event) => event.type === "question.asked" && event.payload.question.id === "p1");
    expect((await near.hub.run(id)).questions).toMatchObject([{ subject: { tool: "rm" } }]);
    await near.hub.answer(id, { question_id: "p1", option: "allow" });
    await eventually(() => expect(session.heard[1]).toMatchObject({ answer: { option: "allow" } }));
    session.end();
    expect(await near.ended(id)).toMatchObject({ status: "completed", violations: [] });
  });

  it("is denied what nobody can be asked about, and a run that needs input fails at once", async () => {
    const { near, far, id } = await begin({});
    const session = await far.driver.session(0);
    session.ask({ id: "p1", kind: "permission" });
    await eventually(() => expect(session.heard).toMatchObject([{ answer: { outcome: "declined" } }]));
    session.ask({ id: "q1" });
    expect(await near.ended(id)).toMatchObject({ status: "failed", failure: { code: "NO_ANSWER" } });
    session.end();
  });
});

describe("a step of an Agent Protocol server", () => {
  const step = (question: unknown, status = "created") =>
    questionIn({ status, additional_output: { question } } as unknown as Parameters<typeof questionIn>[0]);

  it("asks only if it is created and says what, in the form of a hub", () => {
    const asked = { id: "q", kind: "input", text: "what?" };
    expect(step(asked)).toEqual({ id: "q", kind: "input", parts: [{ kind: "text", text: "what?" }] });
    expect(step(asked, "completed")).toBeUndefined();
    for (const odd of [null, "what?", [], {}, { ...asked, id: 5 }, { ...asked, id: "" }])
      expect(step(odd)).toBeUndefined();
    expect(step({ ...asked, kind: "order" })).toBeUndefined();
    expect(step({ ...asked, id: "x".repeat(401) })).toBeUndefined();
  });

  it("keeps of a question what fits, and leaves out the rest", () => {
    const allow = { id: "a", name: "A", effect: "allow" };
    const options = [allow, { id: 1 }, "x", { ...allow, effect: "maybe" }];
    const odd = { id: "q", kind: "form", text: 5, options, schema: "s", subject: [], expires_at: 7 };
    expect(step(odd)).toEqual({
      id: "q",
      kind: "form",
      parts: [{ kind: "text", text: "" }],
      options: [allow],
    });
  });
});
