// The doors of the Agent Protocol on the built hub: both at once, on the same tasks; an agent behind them; a hub that is killed.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { eventually } from "../support/eventually.ts";
import { costlyRounds } from "../support/property-runs.ts";

/** How often the hub is killed. */
const ROUNDS = costlyRounds(20);

interface Frame {
  type: string;
  task_id?: string;
  step_id?: string;
  seq?: number;
}

/** Says what it finds in its workspace, one tool call at a time. */
const AGENT = `
import { existsSync, readFileSync } from "node:fs";
let text = "";
for await (const chunk of process.stdin) text += chunk;
const { task_id, task, context } = JSON.parse(text);
let sequence = 0;
const emit = (event_type, payload) =>
  process.stderr.write(JSON.stringify({ version: "1.0", task_id, timestamp: new Date().toISOString(), sequence: sequence++, event_type, payload }) + "\\n");
const file = context.workspace_path + "/in/data.txt";
emit("tool_call", { tool: "read", input: { file: "in/data.txt" }, output: { there: existsSync(file) }, status: "success" });
emit("llm_request", { model: "m", input_tokens: 10, output_tokens: 5, cost_usd: 0.25 });
if (task.description === "hang") setInterval(() => {}, 1000);
else {
  const output = existsSync(file) ? readFileSync(file, "utf8") : "nothing";
  const artifacts = [{ type: "file", path: "answer.txt", content_type: "text/plain", content: output }];
  process.stdout.write(JSON.stringify({ version: "1.0", task_id, status: "completed", artifacts, metrics: { cost_usd: 0.25, total_tokens: 15 } }) + "\\n");
}
`;

const folder = temporaryFolder("agent-protocol");
writeFileSync(join(folder, "agent.mjs"), AGENT);

/** Everything that a socket hears after it has subscribed. */
async function subscribe(
  hub: HubProcess,
  subscription: object,
): Promise<{ frames: Frame[]; close: () => void }> {
  const socket = new WebSocket(hub.url.replace("http", "ws") + "/ws");
  const frames: Frame[] = [];
  socket.on("message", (data: Buffer) => void frames.push(JSON.parse(data.toString()) as Frame));
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  socket.send(JSON.stringify({ type: "subscribe", ...subscription }));
  await eventually(() => expect(frames.map(({ type }) => type)).toContain("subscribed"));
  return { frames, close: () => socket.close() };
}

const types = (frames: readonly Frame[]): string[] => frames.map(({ type }) => type);

/** Of events; that a subscription is confirmed is none. */
const numbersOf = (frames: readonly Frame[]): number[] =>
  frames.flatMap(({ type, seq }) => (type.includes(".") && seq !== undefined ? [seq] : []));

describe("without an agent", () => {
  let hub: HubProcess;
  beforeAll(async () => {
    hub = await startHubProcess({ folder: join(folder) });
  });
  afterAll(() => hub.stop());

  it("a task of one door is a task of the other, a run, and events on the socket", async () => {
    const all = await subscribe(hub, { agentId: "*" });
    const { agent } = await hub.post<{ agent: { id: string } }>("/api/tasks", { task: "by document 003" });
    const official = await hub.post<{ task_id: string }>("/ap/v1/agent/tasks", {
      input: "by the official one",
    });
    for (const id of [agent.id, official.task_id]) {
      expect(await hub.get(`/api/tasks/${id}`)).toMatchObject({ task_id: id });
      expect(await hub.get(`/ap/v1/agent/tasks/${id}`)).toMatchObject({ task_id: id });
      expect(await hub.get(`/runs/${id}`)).toMatchObject({ id, agent: "client:" });
    }
    await eventually(() =>
      expect(all.frames.filter(({ type }) => type === "task.created").map(({ task_id }) => task_id)).toEqual(
        expect.arrayContaining([agent.id, official.task_id]),
      ),
    );
    const one = await subscribe(hub, { agentId: agent.id, since: -1 });

    const step = await hub.post<{ step_id: string }>(`/api/tasks/${agent.id}/steps`, { input: { a: 1 } });
    const place = `/api/tasks/${agent.id}/steps/${step.step_id}`;
    expect((await hub.send("PATCH", place, { json: { status: "running" } })).status).toBe(200);
    const changed = { json: { status: "completed", is_last: true, output: { b: 2 } } };
    expect((await hub.send("PATCH", place, changed)).status).toBe(200);
    const form = new FormData();
    form.append("file", new Blob(["late"]), "late.txt");
    const uploaded = await fetch(`${hub.url}${place}/artifacts`, { method: "POST", body: form });
    expect(uploaded.status).toBe(201);

    expect(await hub.get(`/ap/v1/agent/tasks/${agent.id}/steps`)).toMatchObject({
      steps: [
        { step_id: step.step_id, output: '{"b":2}', is_last: true, artifacts: [{ file_name: "late.txt" }] },
      ],
    });
    expect(await hub.get(`/runs/${agent.id}`)).toMatchObject({ status: "completed" });
    await eventually(() => expect(types(one.frames)).toContain("artifact.created"));
    expect(types(one.frames).filter((type) => /^(task|step|artifact)\./.test(type))).toEqual([
      "task.created",
      "task.started",
      "step.created",
      "step.started",
      "step.completed",
      "task.completed",
      "artifact.created",
    ]);
    // Numbered without gaps; and whoever comes back is told only what is missing.
    const numbers = numbersOf(one.frames);
    expect(numbers).toEqual(numbers.map((_, index) => index));
    const back = await subscribe(hub, { agentId: agent.id, since: numbers.at(-3) });
    await eventually(() => expect(numbersOf(back.frames)).toEqual(numbers.slice(-2)));
    for (const { close } of [all, one, back]) close();
  });

  it("is driven by our own driver like any server of the official protocol", async () => {
    const args = ["run", "--agent", `ap+${hub.url}`, "--task", "through the official door", "--json"];
    const ended = await runCommand(args, { folder: temporaryFolder("ap-driver") });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(ended.stdout)).toMatchObject({ status: "completed" });
  });

  it("names files as the document does, and removes them with their task", async () => {
    const { agent } = await hub.post<{ agent: { id: string } }>("/api/tasks", { task: "files" });
    const step = await hub.post<{ step_id: string }>(`/api/tasks/${agent.id}/steps`, { input: {} });
    const form = new FormData();
    form.append("file", new Blob(["bytes"]), "output.txt");
    const path = `${hub.url}/api/tasks/${agent.id}/steps/${step.step_id}/artifacts`;
    const { uri } = (await (await fetch(path, { method: "POST", body: form })).json()) as { uri: string };
    const name = decodeURIComponent(uri.split("/").at(-1) ?? "");
    expect(name).toMatch(new RegExp(`^${agent.id}_${step.step_id}_\\d+_output\\.txt$`));
    expect(readFileSync(join(folder, "artifacts", name), "utf8")).toBe("bytes");

    expect((await hub.send("DELETE", `/api/tasks/${agent.id}`)).status).toBe(204);
    expect((await hub.send("DELETE", `/api/tasks/${agent.id}`)).status).toBe(404);
    expect((await hub.send("GET", `/runs/${agent.id}`)).status).toBe(404);
    expect(readdirSync(join(folder, "artifacts"))).not.toContain(name);
  });
});

describe("with an agent", () => {
  let hub: HubProcess;
  const own = temporaryFolder("agent-protocol-agent");
  beforeAll(async () => {
    const agent = `atp+stdio:${process.execPath} ${join(folder, "agent.mjs")}`;
    hub = await startHubProcess({ folder: own, args: ["--default-agent", agent] });
  });
  afterAll(() => hub.stop());

  it("steps appear by themselves as it works, with what they cost, and nobody else changes them", async () => {
    const { agent } = await hub.post<{ agent: { id: string } }>("/api/tasks", { task: "work" });
    await hub.ended(agent.id);
    const { steps } = await hub.get<{ steps: { step_id: string; name: string; is_last: boolean }[] }>(
      `/api/tasks/${agent.id}/steps`,
    );
    expect(steps).toMatchObject([
      { name: "read", status: "completed", output: { there: false }, is_last: false },
      { status: "completed" },
      { status: "completed", is_last: true, additional_output: { task_total_cost: 0.25 } },
    ]);
    const patched = await hub.send("PATCH", `/api/tasks/${agent.id}/steps/${steps[0]?.step_id}`, {
      json: { status: "failed" },
    });
    expect(patched.status).toBe(409);
    expect(await patched.json()).toMatchObject({ error: expect.any(String), message: expect.any(String) });
  });

  it("official: create, upload what it needs, step until the last, download what it made", async () => {
    const { task_id: id } = await hub.post<{ task_id: string }>("/ap/v1/agent/tasks", { input: "work" });
    expect((await hub.get<{ status: string }>(`/runs/${id}`)).status).toBe("created");
    const form = new FormData();
    form.append("file", new Blob(["forty-two"]), "data.txt");
    form.append("relative_path", "in/data.txt");
    const uploaded = await fetch(`${hub.url}/ap/v1/agent/tasks/${id}/artifacts`, {
      method: "POST",
      body: form,
    });
    expect(uploaded.status).toBe(200);

    const outputs: string[] = [];
    for (let last = false; !last;) {
      // As the official clients do it: no body, and yet a JSON type.
      const answered = await fetch(`${hub.url}/ap/v1/agent/tasks/${id}/steps`, {
        method: "POST",
        headers: { "content-type": "application/json" },
      });
      expect(answered.status).toBe(200);
      const step = (await answered.json()) as { output: string; is_last: boolean };
      outputs.push(step.output);
      last = step.is_last;
      expect(outputs.length).toBeLessThan(10);
    }
    expect(outputs[0]).toBe('{"there":true}');
    const { artifacts } = await hub.get<{ artifacts: { artifact_id: string; file_name: string }[] }>(
      `/ap/v1/agent/tasks/${id}/artifacts`,
    );
    const made = artifacts.find(({ file_name }) => file_name === "answer.txt");
    const bytes = await hub.send("GET", `/ap/v1/agent/tasks/${id}/artifacts/${made?.artifact_id}`);
    expect(await bytes.text()).toBe("forty-two");
  });

  it("cancel stops it, marks what ran as failed, and can be repeated", async () => {
    const { agent } = await hub.post<{ agent: { id: string } }>("/api/tasks", { task: "hang" });
    await hub.until(agent.id, ({ type }) => type === "llm_request");
    for (let time = 0; time < 2; time++) {
      expect(await hub.post(`/api/tasks/${agent.id}/cancel`)).toEqual({
        task_id: agent.id,
        status: "cancelled",
      });
    }
    expect((await hub.send("POST", `/api/tasks/${agent.id}/resume`)).status).toBe(409);
    const { steps } = await hub.get<{ steps: { status: string }[] }>(`/api/tasks/${agent.id}/steps`);
    expect(steps.map(({ status }) => status)).not.toContain("running");
  });

  it("a task can be paused as soon as it is there", async () => {
    const { agent } = await hub.post<{ agent: { id: string } }>("/api/tasks", { task: "hang" });
    expect(await hub.post(`/api/tasks/${agent.id}/pause`)).toMatchObject({ status: "paused" });
    expect(await hub.post(`/api/tasks/${agent.id}/resume`)).toMatchObject({ status: "running" });
    expect(await hub.post(`/api/tasks/${agent.id}/cancel`)).toMatchObject({ status: "cancelled" });
  });
});

it("kill -9 in the midst of creates, changes and uploads loses nothing answered and leaves no orphan", async () => {
  const place = temporaryFolder("agent-protocol-crash");
  const told = {
    tasks: new Set<string>(),
    steps: new Map<string, string>(),
    files: new Map<string, string>(),
  };
  let hub = await startHubProcess({ folder: place });
  for (let round = 0; round < ROUNDS; round++) {
    const busy = Array.from({ length: 100 }, (_, index) =>
      work(hub, `${round}-${index}`, told).catch(() => undefined),
    );
    await eventually(() => expect(told.files.size).toBeGreaterThan(round * 20 + 10));
    await hub.stop("SIGKILL");
    await Promise.all(busy);
    hub = await startHubProcess({ folder: place });
    for (const id of told.tasks) expect((await hub.send("GET", `/api/tasks/${id}`)).status).toBe(200);
    for (const [path, status] of told.steps) expect(await hub.get(path)).toMatchObject({ status });
    for (const [path, content] of told.files)
      expect(await (await hub.send("GET", path)).text()).toBe(content);
  }
  // The sweep runs in the background: in the end every file is somebody's.
  await eventually(async () => {
    const known = new Set<string>();
    for (const id of told.tasks) for (const name of await storedNames(hub, id)) known.add(name);
    const orphans = readdirSync(join(place, "artifacts")).filter(
      (name) => /^[0-9a-f-]{36}_/.test(name) && !known.has(name),
    );
    expect(orphans.filter((name) => told.tasks.has(name.slice(0, 36)))).toEqual([]);
  });
  await hub.stop();
});

type Told = { tasks: Set<string>; steps: Map<string, string>; files: Map<string, string> };

/** What is answered is noted at once: it must be found again. */
async function work(hub: HubProcess, content: string, told: Told): Promise<void> {
  const { agent } = await hub.post<{ agent: { id: string } }>("/api/tasks", { task: content });
  told.tasks.add(agent.id);
  const { step_id: step } = await hub.post<{ step_id: string }>(`/api/tasks/${agent.id}/steps`, {
    input: {},
  });
  const path = `/api/tasks/${agent.id}/steps/${step}`;
  told.steps.set(path, "created");
  const form = new FormData();
  form.append("file", new Blob([content]), "f.txt");
  const answered = await fetch(`${hub.url}${path}/artifacts`, { method: "POST", body: form });
  const { artifact_id: id } = (await answered.json()) as { artifact_id: string };
  told.files.set(`${path}/artifacts/${id}/download`, content);
  // Between the change and its answer either may be found.
  told.steps.delete(path);
  const changed = await hub.send("PATCH", path, { json: { status: "running" } });
  if (changed.ok) told.steps.set(path, "running");
}

async function storedNames(hub: HubProcess, id: string): Promise<string[]> {
  const { artifacts } = await hub.get<{ artifacts: { stored_as?: string }[] }>(`/runs/${id}`);
  return artifacts.flatMap(({ stored_as: name }) => name ?? []);
}
