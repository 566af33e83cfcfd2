// Puts copies of one registered agent into a hub's database. Each has one capability that all have, and one that few have.
import { join } from "node:path";
import Database from "libsql";
import { startHub } from "./processes.ts";

export const nameOf = (number: number): string => `agent-${number}`;

const PARAMETERS = {
  type: "object",
  required: ["text"],
  properties: { text: { type: "string" }, words: { type: "integer", minimum: 1 } },
};

export async function fillAgents(folder: string, count: number): Promise<void> {
  const hub = await startHub({ concurrency: 0, folder });
  const capabilities = ["summarise", "special"].map((name) => ({
    name,
    version: "1.2.0",
    parameters: PARAMETERS,
  }));
  try {
    const created = await fetch(`http://127.0.0.1:${hub.port}/registry/agents`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        name: nameOf(0),
        capabilities,
        interval_seconds: 3600,
        labels: { team: "docs" },
      }),
    });
    if (created.status !== 201) throw new Error(await created.text());
  } finally {
    await hub.stop();
  }
  const database = new Database(join(folder, ".proctor/proctor.db"));
  database.pragma("synchronous = OFF");
  const agent = database.prepare("SELECT document, registration, created_at FROM agents").get() as {
    document: string;
    registration: string;
    created_at: number;
  };
  const add = database.prepare(
    "INSERT INTO agents (name, document, registration, created_at) VALUES (?, ?, ?, ?)",
  );
  const lease = database.prepare(
    "INSERT INTO agent_leases (agent, instance, beat_at, draining, state, since) VALUES (?, ?, ?, 0, 'online', ?)",
  );
  database.exec("BEGIN");
  for (let number = 1; number < count; number++) {
    const name = nameOf(number);
    // There are a hundred different schemas, as if the agents came from a hundred makers.
    const document = agent.document
      .replaceAll(nameOf(0), name)
      .replaceAll('"special"', `"special-${number % 1000}"`)
      .replaceAll('"minimum":1', `"minimum":${number % 100}`);
    add.run(name, document, agent.registration, agent.created_at);
    lease.run(name, `instance-${number}`, agent.created_at, agent.created_at);
  }
  database.exec("COMMIT");
  database.close();
}
