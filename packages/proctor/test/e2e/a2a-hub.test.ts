// A2A at the built hub: streams over a hub that is killed, tokens, the well-known card, and requests that mean harm.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { readFrames, userMessage, type Frame } from "../support/a2a/hub-stage.ts";
import { directive, startAgent } from "../support/doubles/scripted.ts";
import { eventually, HANG_MS } from "../support/eventually.ts";
import { startHubProcess, type HubProcess, type HubProcessOptions } from "../support/hub-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Tells of its progress without an end, or answers when it is told to. */
const AGENT = `
let text = "";
for await (const chunk of process.stdin) text += chunk;
const { task_id, task } = JSON.parse(text);
let sequence = 0;
const tell = () => {
  const payload = { message: "step " + sequence, current_step: sequence };
  console.error(JSON.stringify({ version: "1.0", task_id, timestamp: new Date().toISOString(), sequence: sequence++, event_type: "progress", payload }));
};
if (task.description === "answer") {
  for (let n = 0; n < 3; n++) tell();
  console.log(JSON.stringify({ version: "1.0", task_id, status: "completed", artifacts: [], metrics: {} }));
} else setInterval(tell, 5);
`;

const V1 = { "content-type": "application/json", "a2a-version": "1.0" };
const folder = temporaryFolder("a2a-hub");
let hub: HubProcess | undefined;

afterEach(async () => {
  await hub?.stop("SIGKILL");
  hub = undefined;
});

async function start(options: HubProcessOptions & { folder: string }): Promise<HubProcess> {
  hub = await startHubProcess(options);
  return hub;
}

async function startWithAgent(at: string, env: Record<string, string> = {}): Promise<HubProcess> {
  const program = join(at, "agent.mjs");
  writeFileSync(program, AGENT);
  const started = await start({ folder: at, env });
  const agent = { protocol: "atp", transport: "stdio", command: [process.execPath, program] };
  await started.post("/agents", { name: "ticker", ...agent });
  return started;
}

const stream = (url: string, message: object, headers = {}) =>
  readFrames(`${url}/a2a/ticker/message:stream`, {
    method: "POST",
    headers: { ...V1, ...headers },
    body: JSON.stringify({ message }),
  });
const subscribe = (url: string, id: string, after: string) =>
  readFrames(`${url}/a2a/ticker/tasks/${id}:subscribe`, { headers: { ...V1, "last-event-id": after } });

describe("A2A at a hub that is killed", { timeout: HANG_MS }, () => {
  it("loses and repeats no frame, wherever its client was, and begins no task twice when its client asks again", async () => {
    const { url } = await startWithAgent(folder);
    const seen: Frame[] = [];
    for await (const frame of stream(url, userMessage("go on"))) {
      seen.push(frame);
      if (seen.length === 20) break;
    }
    const { id } = seen[0]!.data.task;
    const message = userMessage("go on");
    let late = "";
    for await (const { data } of stream(url, message)) {
      late = data.task.id;
      break;
    }
    await hub?.stop("SIGKILL");
    const again = await start({ folder });
    const rest = await subscribe(again.url, id, seen.at(-1)!.id).all();
    const whole = [...seen, ...rest];
    expect(whole.at(-1)!.data.statusUpdate.status).toMatchObject({
      state: "TASK_STATE_FAILED",
      message: { parts: [{ text: expect.stringMatching(/./) }] },
    });
    const steps = whole.flatMap(({ data }) => data.statusUpdate?.metadata?.progress?.current_step ?? []);
    expect(steps).toEqual(steps.map((_, index) => index));
    for (const index of [0, 1, 7, 18]) {
      const back = await subscribe(again.url, id, whole[index]!.id).all();
      expect(back).toEqual(whole.slice(index + 1));
    }
    const answer = await fetch(`${again.url}/a2a/ticker/message:send`, {
      method: "POST",
      headers: V1,
      body: JSON.stringify({ message }),
    });
    expect(await answer.json()).toMatchObject({
      task: { id: late, status: { state: "TASK_STATE_FAILED" } },
    });
    expect((await again.get<{ items: unknown[] }>("/runs")).items).toHaveLength(2);
  });

  it("loses nothing of 100 streams, whose clients all come back and whose agent goes on", async () => {
    const at = temporaryFolder("a2a-hundred");
    const { url: agentUrl, agent } = await startAgent();
    agent.clock.stop();
    const says = (text: string) => ({
      kind: "status-update",
      status: { state: "working", message: { parts: [{ kind: "text", text }] } },
    });
    const steps = Array.from({ length: 12 }, (_, index) => `step ${index}`);
    // The second half comes when the hub is up again.
    const turn = [
      ...steps.map((step, index) => (index === 6 ? { event: says(step), delay_ms: 3_000_000 } : says(step))),
      { kind: "status-update", status: { state: "completed" }, final: true },
    ];
    const args = ["--concurrency", "100"];
    const { url, post } = await start({ folder: at, args });
    await post("/agents", { name: "ticker", address: `a2a+${agentUrl}` });
    const textOf = ({ data }: Frame) => data.statusUpdate?.status.message?.parts[0].text;
    const readers = Array.from({ length: 100 }, async () => {
      const seen: Frame[] = [];
      for await (const frame of stream(url, userMessage(directive([turn])))) {
        seen.push(frame);
        if (textOf(frame) === "step 5") break;
      }
      return seen;
    });
    const seen = await Promise.all(readers);
    await hub?.stop("SIGKILL");
    const again = await start({ folder: at, args });
    const rests = seen.map((frames) => {
      const { id } = frames[0]!.data.task;
      return subscribe(again.url, id, frames.at(-1)!.id).all();
    });
    // Time goes on once the hub follows every task again.
    await eventually(() =>
      expect(agent.captured.list({ operation: "subscribe" }).length).toBeGreaterThanOrEqual(100),
    );
    await agent.clock.advance(3_000_000);
    for (const [index, rest] of (await Promise.all(rests)).entries()) {
      const whole = [...seen[index]!, ...rest];
      expect(whole.flatMap((frame) => textOf(frame) ?? [])).toEqual(steps);
      expect(whole.at(-1)!.data.statusUpdate.status.state).toBe("TASK_STATE_COMPLETED");
      expect(new Set(whole.map(({ id }) => id)).size).toBe(whole.length);
    }
  });
});

describe("A2A at a hub with tokens", { timeout: HANG_MS }, () => {
  it("shows its cards to everybody, and does nothing else without a token", async () => {
    const token = "a-token-that-is-long-enough";
    const at = temporaryFolder("a2a-token");
    const { url } = await startWithAgent(at, { PROCTOR_TOKEN: token });
    const card = await fetch(`${url}/a2a/ticker/.well-known/agent-card.json`, {
      headers: { "a2a-version": "1.0" },
    });
    expect(await card.json()).toMatchObject({
      name: "ticker",
      capabilities: { streaming: true, pushNotifications: true },
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
      supportedInterfaces: [
        { url: `${url}/a2a/ticker`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        {},
        {},
        {},
      ],
    });
    for (const path of ["/.well-known/agent-card.json", "/.well-known/agent.json"])
      expect((await fetch(url + path)).status).toBe(200);
    const body = JSON.stringify({ message: userMessage("answer") });
    const send = (headers = {}) =>
      fetch(`${url}/a2a/ticker/message:send`, { method: "POST", headers: { ...V1, ...headers }, body });
    const refused = await send();
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      401,
      'Bearer realm="proctor"',
    ]);
    const taken = await send({ authorization: `Bearer ${token}` });
    expect(await taken.json()).toMatchObject({ task: { status: { state: "TASK_STATE_COMPLETED" } } });
    for (const path of ["", "/tasks", "/extendedAgentCard", "/v1/card", "/.well-known/agent-card.json/x"])
      expect((await fetch(`${url}/a2a/ticker${path}`)).status).toBe(401);
  });
});

describe("A2A at a hub that is attacked", { timeout: HANG_MS }, () => {
  it("refuses what is wrong, and serves the others all the while", async () => {
    const at = temporaryFolder("a2a-hostile");
    const { url, send } = await startWithAgent(at);
    const place = `${url}/a2a/ticker`;
    const rpc = async (body: unknown): Promise<number | undefined> => {
      const content = typeof body === "string" ? body : JSON.stringify(body);
      const answer = await fetch(place, { method: "POST", headers: V1, body: content });
      return ((await answer.json()) as { error?: { code: number } }).error?.code;
    };
    const call = (method: string, params: unknown) => ({ jsonrpc: "2.0", id: 1, method, params });
    const message = (more: object) => call("SendMessage", { message: { ...userMessage("x"), ...more } });
    expect(await rpc(`[${'{"jsonrpc":"2.0","id":1,"method":"ListTasks"},'.repeat(10_000)}1]`)).toBe(-32600);
    expect(await rpc("[".repeat(100_000))).toBe(-32700);
    expect(await rpc(`{"__proto__":{"jsonrpc":"2.0","method":"ListTasks"}}`)).toBe(-32600);
    expect(await rpc(message({ parts: [] }))).toBe(-32602);
    expect(await rpc(message({ parts: [{ kind: "alien", alien: 1 }] }))).toBe(-32005);
    expect(await rpc(message({ parts: [{ text: "a", data: 1 }] }))).toBe(-32602);
    expect(await rpc(message({ parts: [{ raw: "not base64!" }] }))).toBe(-32602);
    expect(await rpc(message({ role: "ROLE_AGENT" }))).toBe(-32602);
    expect(await rpc(message({ messageId: "" }))).toBe(-32602);
    expect(await rpc(message({ contextId: "x".repeat(1000) }))).toBe(-32602);
    expect(await rpc(message({ parts: [{ text: "x".repeat(100_000) }] }))).toBe(-32602);
    expect(await rpc(call("GetTask", { id: "../../runs" }))).toBe(-32001);
    expect(await rpc(call("GetTask", { id: "x".repeat(1_000_000) }))).toBe(-32001);
    expect(await rpc(call("GetTask", { id: "01890000-0000-7000-8000-000000000000" }))).toBe(-32001);
    for (const name of ["a%2Fb", "%00", "atp+stdio:sh", ""])
      expect((await fetch(`${url}/a2a/${name}`, { method: "POST" })).status).toBe(404);
    const flood = Array.from({ length: 50 }, () => rpc(message({ taskId: "nothing" })));
    expect(new Set(await Promise.all(flood))).toEqual(new Set([-32001]));
    const one = userMessage("answer");
    const same = Array.from({ length: 20 }, async () => {
      const body = JSON.stringify({ message: one });
      const answer = await fetch(`${place}/message:send`, { method: "POST", headers: V1, body });
      return ((await answer.json()) as { task: { id: string } }).task.id;
    });
    expect(new Set(await Promise.all(same)).size).toBe(1);
    expect((await send("GET", "/healthz")).status).toBe(200);
  });
});
