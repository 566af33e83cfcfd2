import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json.ts";
import { checkOptions, createDriverLookup } from "../registry.ts";

const agent = (options: JsonObject) => ({ protocol: "rest", transport: "http", url: "http://h/x", options });

describe("the options of a JSON endpoint", () => {
  it("may be absent, or say everything", () => {
    expect(checkOptions({ protocol: "rest", transport: "http", url: "http://h/x" })).toEqual([]);
    const all = {
      method: "PUT",
      body: { q: "{task}", all: "{input}", who: "{conversation_id}", talk: ["{history}", "{message}"] },
      query: { v: 2, verbose: true, q: "{task}" },
      answer: "$..reply",
      conversation_id: "['session id']",
      tokens: { input: "u.in", output: "u.out", total: "u[0]", cost: "u.usd" },
      error: "error",
      stream: "lines",
      delta: "choices[0].delta",
      done: "[DONE]",
    };
    expect(checkOptions(agent(all))).toEqual([]);
  });

  it.each<[options: JsonObject, path: string, message: RegExp]>([
    [{ anwser: "x" }, "anwser", /unknown key "anwser".*did you mean "answer"/],
    [{ tokens: { in: "x" } }, "tokens.in", /unknown key "in"/],
    [{ method: "DELETE" }, "method", /must be "POST" or "GET"/],
    [{ answer: "a..[" }, "answer", /cannot be read from its character/],
    [{ answer: 3 }, "answer", /must be text/],
    [{ body: "hello" }, "body", /an object, a list, or one placeholder/],
    [{ body: { q: ["{taks}"] } }, "body.q.0", /there is no "\{taks\}".*did you mean \{task\}/],
    [{ query: { q: "{messages}" } }, "query.q", /did you mean \{message\}/],
    [{ query: { q: { a: 1 } } }, "query.q", /must be/],
    [{ body: { q: "{task.x}" } }, "body.q", /only \{input\} has fields/],
    [{ method: "GET", body: {} }, "body", /a GET request has no body/],
    [{ delta: "x" }, "delta", /is for streams/],
    [{ stream: "websocket" }, "stream", /must be "sse" or "lines"/],
  ])("are wrong as %j", (options, path, message) => {
    const [first, ...more] = checkOptions(agent(options));
    expect(more).toEqual([]);
    expect(first?.path.join(".")).toBe(path);
    expect(`${first?.message} ${first?.hint}`).toMatch(message);
  });

  it("decide whether turns of a conversation wait for each other", () => {
    const drivers = createDriverLookup({ hubId: "test" });
    expect(drivers(agent({})).talks).toEqual({ follows: true, turns: "parallel", history: true });
    expect(drivers(agent({ conversation_id: "id" })).talks).toEqual({
      follows: true,
      turns: "serial",
      history: false,
    });
  });

  it("are taken by no protocol that has none", () => {
    const options = { answer: "x" };
    const found = checkOptions({ protocol: "atp", transport: "stdio", command: ["a"], options });
    expect(found).toMatchObject([{ path: [], message: "agents that speak atp take no options" }]);
  });
});
