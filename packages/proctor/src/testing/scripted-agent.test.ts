import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { directive, rpcRequest, message03, send03 } from "../../test/support/doubles/scripted.ts";
import { startScriptedAgent, type ScriptedAgent, type StartScriptedAgentOptions } from "./index.ts";

const opened: ScriptedAgent[] = [];
afterEach(async () => {
  for (const agent of opened.splice(0)) await agent.stop();
});

async function start(options?: StartScriptedAgentOptions): Promise<ScriptedAgent> {
  const agent = await startScriptedAgent(options);
  opened.push(agent);
  return agent;
}

const DONE = [[{ kind: "task", status: { state: "completed" } }]];

describe("a scripted agent in the process of a test", () => {
  it("obeys directives, and shows what it was asked", async () => {
    const agent = await start();
    const waiting = agent.waitForRequests(1, { testCaseId: "here" });
    await send03(agent.url, { text: directive(DONE, "here") });
    expect(await waiting).toMatchObject([{ operation: "send", test_case_id: "here" }]);
    expect(agent.capturedRequests).toHaveLength(1);
    expect(agent.expectRequests(1, { operation: "send" })).toHaveLength(1);
    expect(() => agent.expectRequests(2)).toThrow("1 requests instead of 2; the agent got\n  send here");
    agent.clearCapturedRequests();
    expect(agent.capturedRequests).toEqual([]);
    await expect(agent.waitForRequests(1, { timeoutMs: 0 })).rejects.toThrow("0 of 1 requests came in time");
  });

  it("plays what was primed, once, and forgets it with its state", async () => {
    const agent = await start();
    agent.prime(DONE);
    agent.prime(DONE, "later");
    expect(await send03(agent.url, { text: "x" })).toHaveProperty("result");
    expect(await send03(agent.url, { text: "x" })).toHaveProperty("error");
    agent.clearState();
    expect(await send03(agent.url, { text: "[test_case_id=later]" })).toHaveProperty("error");
    expect(() => agent.prime([[{ kind: "nothing" }]])).toThrow(
      /responses\[0\]\[0\] is an event of the unknown kind/,
    );
  });

  it("takes a script, packs, faults and a stopped clock", async () => {
    const folder = await mkdtemp(join(tmpdir(), "proctor-scripted-"));
    const script = join(folder, "script.yaml");
    await writeFile(
      script,
      "default: {turns: [[{event: {kind: task, status: {state: completed}}, delay_ms: 3600000}]]}",
    );
    const agent = await start({ script, faults: ["status:503*1"], packs: ["tck"], seed: 3, patch: "1.0.0" });
    await rm(folder, { recursive: true });
    agent.stopClock();
    const message = message03({ text: "x" });
    expect((await rpcRequest(agent.url, "message/send", { message })).status).toBe(503);
    agent.setFaults([]);
    const answered = send03(agent.url, { text: "x" });
    await agent.waitForRequests(2, { operation: "send" });
    await agent.advance(3_600_000);
    expect(await answered).toMatchObject({ result: { status: { state: "completed" } } });
  });

  it("refuses what it does not know", async () => {
    await expect(startScriptedAgent({ profile: "mian" })).rejects.toThrow('did you mean "main"?');
    await expect(startScriptedAgent({ packs: ["acts"] })).rejects.toThrow("there are: tck");
    await expect(startScriptedAgent({ faults: ["nope"] })).rejects.toThrow('unknown fault "nope"');
  });

  it("is gone when it is stopped, streams and all", async () => {
    const agent = await startScriptedAgent();
    const open = [{ events: [{ kind: "status-update", status: { state: "working" } }], stays_open: true }];
    const response = await rpcRequest(agent.url, "message/stream", {
      message: message03({ text: directive(open) }),
    });
    await agent.stop();
    await response.text().catch(() => undefined);
    await expect(fetch(agent.url)).rejects.toThrow();
  });
});
