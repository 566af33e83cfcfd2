// One agent on four transports, driven through four surfaces: whatever the way, what comes back is the same.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json.ts";
import { atpEvent, atpResponse } from "../../src/protocols/atp/wire.ts";
import { ATP_STAGES } from "../support/atp/stages.ts";
import type { Puppet, PuppetTask } from "../support/protocols/puppet.ts";
import { atpClients, type AtpClient } from "../support/atp-clients.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const content = "# Report ☃\n";
let hub: HubProcess;
let clients: AtpClient[];
const puppets: Puppet[] = [];

async function play({ request, event, respond }: PuppetTask): Promise<void> {
  const say = (sequence: number, event_type: string, payload: JsonObject): Promise<void> =>
    event({
      version: "1.0",
      task_id: request["task_id"] ?? "",
      timestamp: new Date().toISOString(),
      sequence,
      event_type,
      payload,
    });
  await say(0, "reasoning", { thought: "first", plan: ["a", "b"], step: "planning" });
  await say(1, "llm_request", { model: "m", input_tokens: 20, output_tokens: 5 });
  await say(2, "progress", { percentage: 60, nested: { list: [1, null, true, "x"], empty: {} } });
  await respond({
    version: "1.0",
    task_id: request["task_id"] ?? "",
    status: "completed",
    artifacts: [
      { type: "file", path: "report.md", content_type: "text/markdown", content },
      { type: "structured", name: "result", data: { score: 0.5, deep: { ok: true } } },
    ],
    metrics: { input_tokens: 30, output_tokens: 5, total_steps: 3, cost_usd: 0.25 },
  });
}

beforeAll(async () => {
  hub = await startHubProcess({ folder: temporaryFolder("transports"), args: ["--grpc-port", "0"] });
  const [, grpcUrl = ""] = /grpc\s+(\S+)/.exec(hub.output()) ?? [];
  clients = atpClients(hub.url, grpcUrl);
  for (const stage of ATP_STAGES) {
    const puppet = await stage.raise(play);
    puppets.push(puppet);
    await hub.post("/agents", { name: stage.name, ...puppet.spec });
  }
});

afterAll(async () => {
  for (const puppet of puppets) await puppet.close();
  expect(await hub.stop()).toBe(0);
});

/** Without what is different each time. */
function substance({ events, response }: { events: JsonObject[]; response: JsonObject }): object {
  const { task_id: _, trace_id: __, metrics, artifacts, ...rest } = response;
  const { wall_time_seconds: ___, ...counts } = metrics as JsonObject;
  return {
    events: events.map(({ event_type, payload, sequence }) => ({ event_type, payload, sequence })),
    response: {
      ...rest,
      metrics: counts,
      artifacts: (artifacts as JsonObject[]).map(({ created_at: ____, ...artifact }) => artifact),
    },
  };
}

describe.each(ATP_STAGES.map(({ name }) => name))("an agent over %s", (agent) => {
  it.each([0, 1, 2, 3])("answers the same on surface %i", async (index) => {
    const client = clients[index]!;
    const task_id = randomUUID();
    const heard = await client.execute(agent, { version: "1.0", task_id, task: { description: "do it" } });
    for (const event of heard.events) expect(atpEvent.parse(event).task_id).toBe(task_id);
    expect(atpResponse.parse(heard.response).task_id).toBe(task_id);
    const reference = await clients[1]!.execute("http", {
      version: "1.0",
      task_id: randomUUID(),
      task: { description: "do it" },
    });
    const expected = client.streams ? reference : { ...reference, events: [] };
    expect(substance(heard)).toEqual(substance(expected));
    expect(substance(reference)).toMatchObject({
      response: { status: "completed", metrics: { total_tokens: 35 } },
    });
    expect(reference.events).toHaveLength(3);
  });
});

it.each(ATP_STAGES.map(({ name }) => name))(
  "shows the metrics of an agent over %s alike, run directly and through any surface",
  async (agent) => {
    const created = await hub.post<{ id: string }>("/runs", { agent, task: { description: "do it" } });
    const { metrics } = await hub.ended(created.id);
    const { wall_time_seconds: _, ...direct } = metrics;
    expect(direct).toEqual({
      input_tokens: 30,
      output_tokens: 5,
      total_tokens: 35,
      llm_calls: 1,
      total_steps: 3,
      cost_usd: 0.25,
    });
    for (const client of clients) {
      const { response } = await client.execute(agent, {
        version: "1.0",
        task_id: randomUUID(),
        task: { description: "do it" },
      });
      const { wall_time_seconds: __, ...shown } = response["metrics"] as JsonObject;
      expect(shown).toEqual(direct);
    }
  },
);

it("leaves no run with a violation behind", async () => {
  const { items } = await hub.get<{ items: { violations: unknown[]; status: string }[] }>("/runs?limit=100");
  expect(items.length).toBeGreaterThanOrEqual(16);
  expect(items.filter(({ violations, status }) => violations.length > 0 || status !== "completed")).toEqual(
    [],
  );
});
