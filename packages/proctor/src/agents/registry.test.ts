import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nested } from "../../test/support/nested.ts";
import { openTestHub, type TestHub } from "../../test/support/test-hub.ts";

const command = ["node", "agent.mjs"];
const stdio = { protocol: "atp", transport: "stdio" };
let hub: TestHub;

beforeAll(async () => {
  hub = await openTestHub({ concurrency: 0 });
  await hub.hub.addAgent({ name: "writer", ...stdio, command, env: { API_KEY: "sk-very-secret" } });
});
afterAll(() => hub.close());

describe("the agents of a hub", () => {
  it("show their address, and secrets only as ***", async () => {
    expect(await hub.hub.agent("writer")).toMatchObject({
      name: "writer",
      address: "atp+stdio:node agent.mjs",
      env: { API_KEY: "***" },
    });
    expect(JSON.stringify(await hub.store.readAgent("writer"))).not.toContain("sk-very-secret");
  });

  it("give a run their name and their secrets, which it does not show", async () => {
    const task = { description: "the key is sk-very-secret" };
    const { run } = await hub.hub.submit({ agent: "writer", task });
    expect(run).toMatchObject({ agent: "writer", task: { description: "the key is [redacted:API_KEY]" } });
  });

  it.each([
    ["a name nobody has, and the nearest is suggested", "writr", "AGENT_NOT_FOUND", /did you mean "writer"/],
    ["a protocol nobody speaks", "smtp+stdio:x", "UNKNOWN_SCHEME", /supported: .*atp\+stdio/],
    ["a program without a command", { ...stdio }, "INVALID_REQUEST", /needs a command/],
    [
      "an environment that does not exist",
      { ...stdio, command, environment: "moon" },
      "INVALID_REQUEST",
      /"moon"/,
    ],
  ])("cannot be %s", async (_what, agent, code, message) => {
    const submitted = hub.hub.submit({ agent, task: { description: "x" } });
    await expect(submitted).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    });
  });

  it("cannot be added with a schema that is nested too deeply", async () => {
    const capabilities = [{ name: "dig", parameters: nested(100_000) }];
    await expect(hub.hub.addAgent({ name: "digger", ...stdio, command, capabilities })).rejects.toMatchObject(
      {
        code: "INVALID_REQUEST",
        message: expect.stringMatching(/nested more than 200/) as string,
      },
    );
  });

  it("keep their options, whose secrets are sealed and reach the agent all the same", async () => {
    const options = {
      body: { q: "{task}", api_key: "sk-in-the-body", session_token: "{conversation_id}" },
      answer: "a",
    };
    const shown = { ...options, body: { ...options.body, api_key: "***" } };
    const url = "http://127.0.0.1:9/x";
    const added = await hub.hub.addAgent({ name: "rest", protocol: "rest", transport: "http", url, options });
    expect(added).toMatchObject({ address: `rest+${url}`, options: shown });
    expect(JSON.stringify(await hub.store.readAgent("rest"))).not.toContain("sk-in-the-body");
    const { run } = await hub.hub.submit({ agent: "rest", task: { description: "say sk-in-the-body" } });
    expect(run.task.description).toBe("say [redacted:api_key]");
    const claimed = await hub.store.readRun(run.id);
    expect(JSON.stringify(claimed)).not.toContain("sk-in-the-body");
  });

  it.each([
    [
      "a mistake in the options",
      { protocol: "rest", options: { anwser: "x" } },
      /"anwser"\n +did you mean "answer"/,
    ],
    [
      "options that its protocol does not take",
      { protocol: "atp", options: { answer: "x" } },
      /atp take no options/,
    ],
  ])("cannot be added with %s", async (_what, agent, message) => {
    const whole = { name: "wrong", transport: "http", url: "http://h/x", ...agent };
    await expect(hub.hub.addAgent(whole)).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringMatching(message) as string,
      details: [{ path: expect.stringMatching(/^agent\.options/) as string }],
    });
    await expect(hub.hub.submit({ agent: whole, task: { description: "x" } })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
  });

  it("have names that are safe everywhere", async () => {
    for (const name of ["", "a/b", "../x", "a b", "-x", "x".repeat(129), "a\n"]) {
      const added = hub.hub.addAgent({ name, ...stdio, command });
      await expect(added).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    }
  });

  it("may be called constructor", async () => {
    await hub.hub.addAgent({ name: "constructor", ...stdio, command });
    const { run } = await hub.hub.submit({ agent: "constructor", task: { description: "x" } });
    expect(run).toMatchObject({ agent: "constructor", status: "queued" });
  });
});
