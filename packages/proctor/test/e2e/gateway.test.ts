// The guide "Put a gateway in front" through the built program: its file, its commands, tokens, and kill -9 of the hub.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { isJsonObject, type Json, type JsonObject } from "../../src/core/json.ts";
import { serveA2a, type Asked, type ScriptedServer } from "../support/a2a/scripted-server.ts";
import { taskOf } from "../support/a2a/task-words.ts";
import { HANG_MS } from "../support/eventually.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { block, blocks } from "../support/markdown.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);
const guide = readFileSync(
  fileURLToPath(new URL("../../../../docs/guides/put-a-gateway-in-front.md", import.meta.url)),
  "utf8",
);
const folder = temporaryFolder("gateway");
const hubs: HubProcess[] = [];

afterEach(async () => {
  for (const hub of hubs.splice(0)) await hub.stop("SIGKILL");
});
const SUMMARY = {
  raw: Buffer.from("a summary").toString("base64"),
  filename: "summary.txt",
  mediaType: "text/plain",
};

function play(asked: Asked): void {
  if (asked.headers.authorization !== "Bearer hidden") return void asked.response.writeHead(401).end();
  const other = { id: "t-2", contextId: "c-2" };
  if (asked.operation === "cancelTask") return asked.result({ ...taskOf("CANCELED"), ...other });
  const artifacts = [{ artifactId: "a", parts: [SUMMARY] }];
  const isSummary = JSON.stringify(asked.params).includes("Summarise");
  asked.result({ task: isSummary ? taskOf("COMPLETED", { artifacts }) : { ...taskOf("WORKING"), ...other } });
}

async function start(agent: ScriptedServer, env: Record<string, string> = {}): Promise<HubProcess> {
  const file = block(guide, "yaml", "# proctor.yaml").replace("http://127.0.0.1:9100", agent.url);
  writeFileSync(join(folder, "proctor.yaml"), file);
  const hub = await startHubProcess({ folder, env: { WRITER_TOKEN: "hidden", ...env } });
  hubs.push(hub);
  return hub;
}

/** The commands of the guide that begin like this, at the hub's own address. */
async function shell(hub: HubProcess, first: string): Promise<string> {
  const code = blocks(guide, "sh").find((one) => one.startsWith(first)) ?? "exit 1";
  const { stdout } = await run("sh", ["-ec", code.replaceAll("http://127.0.0.1:3001", hub.url)], {
    cwd: folder,
  });
  return stdout;
}

async function ask(
  hub: HubProcess,
  method: string,
  params: Json,
  token?: string | null,
): Promise<JsonObject> {
  const json = { jsonrpc: "2.0", id: 1, method, params };
  const headers = { "a2a-version": "1.0", "x-forwarded-user": "ada" };
  const response = await hub.send("POST", "/gateway/writer", {
    json,
    headers,
    ...(token !== undefined && { token }),
  });
  const answer: unknown = await response.json();
  return isJsonObject(answer) ? { ...answer, http: response.status } : {};
}

describe("the gateway of the built hub", { timeout: HANG_MS }, () => {
  it("does what its guide shows", async () => {
    const agent = await serveA2a(play);
    const hub = await start(agent);
    expect(hub.output()).toContain(`${hub.url}/gateway/{writer}`);
    const card = await shell(hub, "curl http://127.0.0.1:3001/gateway/writer/.well-known");
    expect(JSON.parse(card)).toMatchObject({
      name: "writer",
      supportedInterfaces: [{ url: `${hub.url}/gateway/writer` }, {}, {}, {}],
    });
    writeFileSync(join(folder, "input.txt"), "a long text");
    await shell(hub, "curl -T input.txt");
    const sent = await shell(hub, "curl http://127.0.0.1:3001/gateway/writer \\");
    const uri = "artifact://writer/ada/session-1/summary.txt?version=1";
    expect(JSON.parse(sent)).toMatchObject({
      result: {
        task: {
          contextId: "session-1",
          artifacts: [{ parts: [{ url: uri }] }],
          metadata: { produced_artifacts: [{ filename: "summary.txt", version: 1, uri }] },
        },
      },
    });
    const message = agent.asked.at(-1)?.params["message"] as { parts: { raw?: string }[] } | undefined;
    expect(Buffer.from(message?.parts[1]?.raw ?? "", "base64").toString()).toBe("a long text");
    expect(await shell(hub, "curl http://127.0.0.1:3001/artifacts/writer/ada/session-1/summary.txt")).toBe(
      "a summary",
    );
    expect(await hub.get("/openapi.json")).toMatchObject({ paths: { "/gateway/{agent}": {} } });
    const missing = await hub.send("GET", "/gateway/writre/.well-known/agent-card.json");
    expect([missing.status, await missing.json()]).toMatchObject([
      404,
      { message: expect.stringContaining("writer") as string },
    ]);
    await hub.stop();
    expect(hub.output()).not.toContain("hidden");
  });

  it("still leads to the agent's tasks and artifacts after kill -9", async () => {
    const agent = await serveA2a(play);
    const hub = await start(agent);
    const parts = [{ text: "work" }];
    const message = { messageId: "m", role: "ROLE_USER", parts, contextId: "session-2" };
    const begun = await ask(hub, "SendMessage", { message });
    const { task } = begun["result"] as { task: JsonObject };
    await hub.stop("SIGKILL");
    const after = await start(agent);
    const canceled = await ask(after, "CancelTask", { id: task["id"] ?? null });
    expect(canceled).toMatchObject({
      result: { id: task["id"], contextId: "session-2", status: { state: "TASK_STATE_CANCELED" } },
    });
    expect(agent.asked.at(-1)?.params).toMatchObject({ id: "t-2" });
    const { items } = await after.get<{ items: JsonObject[] }>("/artifacts/writer/ada/session-1");
    expect(items).toMatchObject([{ name: "input.txt" }, { name: "summary.txt" }]);
    await after.stop();
  });

  it("asks for the hub's token, but not for the card", async () => {
    const agent = await serveA2a(play);
    const hub = await start(agent, { PROCTOR_TOKEN: "door" });
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "work" }] };
    expect(await ask(hub, "SendMessage", { message }, null)).toMatchObject({ http: 401 });
    expect(await ask(hub, "SendMessage", { message })).toMatchObject({ http: 200, result: { task: {} } });
    const card = await hub.send("GET", "/gateway/writer/.well-known/agent-card.json", { token: null });
    expect(await card.json()).toMatchObject({ securitySchemes: { gateway: {} } });
    // The token of the door is not the agent's.
    expect(agent.asked.every(({ headers }) => headers.authorization !== "Bearer door")).toBe(true);
    await hub.stop();
  });
});
