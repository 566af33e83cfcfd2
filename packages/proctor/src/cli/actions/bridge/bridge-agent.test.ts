// `proctor bridge a2a`, with agents and clients of the official SDKs of both versions at its ends.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Role, type StreamResponse as SdkFrame } from "@a2a-js/sdk";
import { ClientFactory } from "@a2a-js/sdk/client";
import { A2AClient as OldClient } from "a2a-sdk-0.3/client";
import { describe, expect, test } from "vitest";
import { serveOldSdkAgent, serveSdkAgent } from "../../../../test/support/a2a/sdk-agents.ts";
import { createIo, type IoDouble } from "../../../../test/support/cli/program-double.ts";
import { eventually } from "../../../../test/support/eventually.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { JsonObject } from "../../../core/json.ts";
import { createScript } from "../../../doubles/scripted/script.ts";
import { startScriptedAgent } from "../../compose/start-scripted-agent.ts";
import { main } from "../../main.ts";

const GUIDE = fileURLToPath(new URL("../../../../../../docs/guides/bridge-a2a-versions.md", import.meta.url));

interface Bridge {
  io: IoDouble;
  /** Where its clients find it. */
  url: string;
  /** Ends it as Ctrl-C does, and resolves to the exit code. */
  stop(): Promise<number>;
}

async function open(agent: string, ...flags: string[]): Promise<Bridge> {
  const io = createIo({ cwd: temporaryFolder("bridge"), env: { NO_COLOR: "1" } });
  const ended = main(["bridge", "a2a", agent, "--port", "0", ...flags], io);
  const url = await eventually(() => {
    const [, found] = /a2a\+(http:\/\/127\.0\.0\.1:\d+)/.exec(io.out()) ?? [];
    expect(found, io.err()).toBeDefined();
    return found ?? "";
  });
  const stop = (): Promise<number> => {
    io.interrupt();
    return ended;
  };
  return { io, url, stop };
}

describe("a bridge between versions of A2A", () => {
  test("leads a client of 1.0 to an agent of 0.3, whose files and ids stay what they are", async () => {
    const agent = await serveOldSdkAgent();
    const bridge = await open(agent.url, "--to", "1.0");
    const client = await new ClientFactory().createFromUrl(`${bridge.url}/`);
    const frames: SdkFrame[] = [];
    for await (const frame of client.sendMessageStream(request("Write a story"))) frames.push(frame);
    const written = JSON.stringify(frames);
    expect(written).toContain('"filename":"story.txt"');
    expect(written).not.toContain("artifact://");
    const task = frames.flatMap(({ payload }) => (payload?.$case === "task" ? [payload.value] : []))[0];
    const asked = await client.getTask({ id: task?.id ?? "", tenant: "", historyLength: undefined });
    expect(asked.id).toBe(task?.id);
    expect(await bridge.stop()).toBe(0);
    expect(bridge.io.out()).toMatch(/✓ stream\s*\n/);
    expect(bridge.io.out().trimEnd()).toMatch(/requests, 0 failed, .*$/);
  });

  test("leads a client of 0.3 to an agent of 1.0", async () => {
    const agent = await serveSdkAgent();
    const bridge = await open(`a2a+${agent.url}`, "--to", "0.3");
    const client = await OldClient.fromCardUrl(`${bridge.url}/.well-known/agent-card.json`);
    const response = await client.sendMessage({
      message: {
        kind: "message",
        messageId: randomUUID(),
        role: "user",
        parts: [{ kind: "text", text: "Write a story" }],
      },
    });
    expect(response).toMatchObject({ result: { kind: "task", status: { state: "completed" } } });
    await bridge.stop();
  });

  test("says what the other version cannot, on the terminal, in its log and to the client", async () => {
    // In 0.3 data is an object.
    const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ data: [1, 2, 3] }] };
    const event = { task: { status: { state: "TASK_STATE_COMPLETED", message } } };
    const agent = await startScriptedAgent({
      port: 0,
      script: { fallback: createScript("lists", [{ events: [{ event }] }]) },
    });
    try {
      const bridge = await open(agent.url, "--to", "0.3", "--log", "crossings.jsonl");
      const client = await OldClient.fromCardUrl(`${bridge.url}/.well-known/agent-card.json`);
      const response = await client.sendMessage({
        message: {
          kind: "message",
          messageId: randomUUID(),
          role: "user",
          parts: [{ kind: "text", text: "Count" }],
        },
      });
      expect(JSON.stringify(response)).toContain("losses");
      await bridge.stop();
      const [lost] = /^ +lost: .*$/m.exec(bridge.io.out()) ?? [];
      expect(lost).toBeDefined();
      expect(readFileSync(GUIDE, "utf8")).toContain(lost);
      expect(bridge.io.out()).toMatch(/kinds? of losses$/m);
      const log = readFileSync(join(bridge.io.cwd, "crossings.jsonl"), "utf8").trim().split("\n");
      const sent = log
        .map((line) => JSON.parse(line) as JsonObject)
        .find((call) => call["operation"] === "send");
      expect(sent?.["losses"]).not.toEqual([]);
    } finally {
      await agent.close();
    }
  });

  test("passes the credentials of clients on, and answers no web page of another site", async () => {
    const agent = await startScriptedAgent({ port: 0, profile: "auth" });
    try {
      const bridge = await open(agent.url, "--to", "0.3");
      const send = (headers: Record<string, string>): Promise<Response> =>
        fetch(bridge.url, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: "none" } }),
        });
      const codeOf = async (answer: Response): Promise<unknown> =>
        ((await answer.json()) as { error: { code: number } }).error.code;
      expect((await send({})).status).toBe(401);
      expect(await codeOf(await send({ authorization: "Bearer itk-valid-token" }))).toBe(-32001);
      expect((await send({ origin: "https://elsewhere.example" })).status).toBe(403);
      await bridge.stop();
    } finally {
      await agent.close();
    }
  });

  test.each([
    [["http://127.0.0.1:1", "--to", "1.0"], "no agent for a bridge to A2A 1.0"],
    [["atp+stdio:cat", "--to", "1.0"], "a bridge needs the address of an A2A agent over HTTP"],
    [["http://127.0.0.1:1"], "--to 1.0 or --to 0.3"],
    [["http://127.0.0.1:1", "--to", "0.2"], "Allowed choices are 1.0, 0.3"],
  ])("is refused with exit code 2: %j", async (args, message) => {
    const io = createIo({ env: { NO_COLOR: "1" } });
    expect(await main(["bridge", "a2a", ...args], io)).toBe(2);
    expect(io.err()).toContain(message);
  });

  function request(text: string) {
    return {
      tenant: "",
      configuration: undefined,
      metadata: undefined,
      message: {
        messageId: randomUUID(),
        contextId: "",
        taskId: "",
        role: Role.ROLE_USER,
        parts: [
          {
            content: { $case: "text" as const, value: text },
            metadata: undefined,
            filename: "",
            mediaType: "",
          },
        ],
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
      },
    };
  }
});
