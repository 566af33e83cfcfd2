import { afterEach, describe, expect, it } from "vitest";
import { HANG_MS } from "../../../test/support/eventually.ts";
import {
  answerText,
  openTalkingHub,
  planTalk,
  runTalk,
  type Play,
  type TalkingHub,
} from "../../../test/support/suites/talking-agent.ts";
import type { AskLlm, LlmRequest } from "../../core/ports/llm.ts";

const open: TalkingHub[] = [];

afterEach(async () => {
  for (const hub of open.splice(0)) await hub.close();
});

async function hubWith(play: Play): Promise<TalkingHub> {
  const hub = await openTalkingHub(play);
  open.push(hub);
  return hub;
}

/** A model that says these things, one after the other, and the last one for ever. */
function model(...said: string[]): AskLlm & { requests: LlmRequest[] } {
  const requests: LlmRequest[] = [];
  const ask: AskLlm = (request) => {
    const text = said[Math.min(requests.length, said.length - 1)] ?? "";
    requests.push(request);
    return Promise.resolve({ text, model: request.model, inputTokens: 10, outputTokens: 2 });
  };
  return Object.assign(ask, { requests });
}

const GOAL = "get the blue bicycle delivered on Friday";
const user = { persona: "Short of time", goal: GOAL, facts: { order: 4711 } };
const echo: Play = (session, turn) => session.reply(`reply ${turn}: ${session.said}`);

describe("a simulated user", { timeout: HANG_MS }, () => {
  it("says the first word, hears the agent, and stops when it has what it wants", async () => {
    const hub = await hubWith(echo);
    const ask = model("Hi, about my bike", "Friday please", "GOAL_REACHED");
    const plan = await planTalk({ user: { ...user, model: "large" } });
    const { outcome, attempts } = await runTalk(plan, hub, { ask });
    expect(outcome).toBe("pass");
    expect(attempts[0]?.thread).toMatchObject({
      ended: "goal_reached",
      simulator: { calls: 3, input_tokens: 30, output_tokens: 6 },
      turns: [
        { lines: [{ text: "Hi, about my bike" }, { text: "reply 0: Hi, about my bike" }] },
        { lines: [{ text: "Friday please" }, { text: "reply 1: Friday please" }] },
      ],
    });
    const [first, , last] = ask.requests;
    expect(first?.model).toBe("large");
    expect(first?.messages[0]?.content).toMatch(/Short of time[^]*blue bicycle[^]*order: 4711/);
    expect(last?.messages.slice(1).map(({ role, content }) => `${role}: ${content}`)).toEqual([
      expect.stringContaining("user: (The agent is listening"),
      "assistant: Hi, about my bike",
      "user: reply 0: Hi, about my bike",
      "assistant: Friday please",
      "user: reply 1: Friday please",
    ]);
  });

  it("says the task first where there is one, and stops at the agent's words or after its turns", async () => {
    const hub = await hubWith(echo);
    const stop = { when: "reply 1", max_turns: 5 };
    const plan = await planTalk({ task: { description: "Hello" }, user: { ...user, stop } });
    const byText = await runTalk(plan, hub, { ask: model("one", "two", "three") });
    expect(byText.attempts[0]?.thread).toMatchObject({ ended: "text", turns: [{}, {}] });
    expect(byText.attempts[0]?.thread?.turns[0]?.lines[0]?.text).toBe("Hello");

    const short = await planTalk({ user: { ...user, stop: { max_turns: 2 } } });
    const byTurns = await runTalk(short, hub, { ask: model("one", "two", "three") });
    expect(byTurns.attempts[0]).toMatchObject({
      outcome: "pass",
      thread: { ended: "max_turns", turns: [{}, {}] },
      notes: ["the user stopped after 2 turns without saying that its goal is reached"],
    });
  });

  it("answers questions: in words, with an option, with a form, or not at all", async () => {
    const got: string[] = [];
    const hub = await hubWith(async (session) => {
      const options = [
        { id: "y", name: "Yes, once", effect: "allow" as const },
        { id: "n", name: "No", effect: "deny" as const },
      ];
      got.push(answerText(await session.inquire({ id: "a" })));
      got.push(answerText(await session.inquire({ id: "b", kind: "permission", options })));
      got.push(answerText(await session.inquire({ id: "c", kind: "form", schema: { type: "object" } })));
      got.push(answerText(await session.inquire({ id: "d", kind: "permission", options })));
      session.reply("done");
    });
    const ask = model("Hi", "It is 4711", "Yes, once", 'Here: {"day": "Friday"}', "DECLINE", "GOAL_REACHED");
    const { outcome } = await runTalk(await planTalk({ user }), hub, { ask });
    expect(got).toEqual(["It is 4711", "y", '{"day":"Friday"}', "declined"]);
    expect(outcome).toBe("pass");
    expect(ask.requests[2]?.messages.at(-1)?.content).toContain("word for word: Yes, once, No.");
  });

  it("is asked once more when what it says cannot be used", async () => {
    const hub = await hubWith(echo);
    const ask = model("As an AI language model, I cannot have a bike", "My bike is late", "GOAL_REACHED");
    const { outcome } = await runTalk(await planTalk({ user }), hub, { ask });
    expect(outcome).toBe("pass");
    expect(ask.requests[1]?.messages.at(-1)?.content).toContain("it fell out of its role as the user");
  });

  it("is played by the script of a mock model where the test has one", async () => {
    const hub = await hubWith(echo);
    const script = { answers: [], default: { content: "Hi" } };
    const plan = await planTalk({ user: { ...user, script } });
    expect(plan.cases[0]?.test.user?.script).toEqual(script);
    const { outcome } = await runTalk(plan, hub, { scripted: model("Hi", "GOAL_REACHED") });
    expect(outcome).toBe("pass");
  });

  const broken: AskLlm = () => Promise.reject(new Error("out of credit"));
  it.each<[fault: string, ask: AskLlm, reason: RegExp, runs: number]>([
    ["whose model fails", broken, /the model that plays the user failed: out of credit/, 0],
    ["that says nothing", model(""), /it said nothing/, 0],
    ["that falls out of its role", model("How can I help you today?"), /it fell out of its role/, 0],
    ["that speaks for the agent", model("Hi", "Agent: done!"), /it fell out of its role/, 1],
    [
      "that gives its goal away",
      model("I want to GET the blue bicycle, delivered on Friday!"),
      /goal away/,
      0,
    ],
    ["that repeats itself for ever", model("Hi there"), /said the same 3 times, whatever it heard/, 2],
    ["that talks without end", model("word ".repeat(5000)), /more than 20000 characters/, 0],
    ["that has its goal before it begins", model("GOAL_REACHED"), /before it said anything/, 0],
  ])("%s leaves the run unevaluated, never failed", async (_fault, ask, reason, runs) => {
    const hub = await hubWith(echo);
    const plan = await planTalk({ user, checks: [{ type: "contains", config: { pattern: "nowhere" } }] });
    const { outcome, attempts } = await runTalk(plan, hub, { ask });
    expect(outcome).toBe("unevaluated");
    expect(attempts[0]).toMatchObject({ failure: { code: "SIMULATOR_FAILED" }, checks: [] });
    expect(attempts[0]?.reason).toMatch(/^SIMULATOR_FAILED: /);
    expect(attempts[0]?.reason).toMatch(reason);
    expect(attempts[0]?.notes).toEqual([attempts[0]?.reason]);
    expect(hub.sessions).toHaveLength(runs);
  });

  it("that gives no usable answer to a question leaves the run unevaluated, and the agent is stopped", async () => {
    const hub = await hubWith((session) => {
      const options = [{ id: "y", name: "Yes", effect: "allow" as const }];
      session.ask({ id: "q", kind: "permission", options });
    });
    const { outcome, attempts } = await runTalk(await planTalk({ user }), hub, {
      ask: model("Hi", "perhaps"),
    });
    expect(outcome).toBe("unevaluated");
    expect(attempts[0]?.reason).toMatch(/it chose none of Yes/);
    expect((await hub.hub.run(attempts[0]?.runId ?? "")).status).toBe("cancelled");
  });

  it("is missing where nobody configured a model, which is said", async () => {
    const hub = await hubWith(echo);
    const { outcome, attempts } = await runTalk(await planTalk({ user }), hub);
    expect(outcome).toBe("unevaluated");
    expect(attempts[0]?.reason).toMatch(/no model is configured for it: set PROCTOR_JUDGE_URL/);
  });

  it("may give the same answer to an agent that asks the same for ever, which fails the agent", async () => {
    const hub = await hubWith(async (session) => {
      for (let index = 0; ; index++) await session.inquire({ id: `q${index}` });
    });
    const { outcome, attempts } = await runTalk(await planTalk({ user }), hub, {
      ask: model("Hi", "It is 4711"),
    });
    expect(outcome).toBe("fail");
    expect(attempts[0]?.failure?.code).not.toBe("SIMULATOR_FAILED");
  });
});
