// Heartbeats of 10,000 agents: the share of a core that 5,000 per second cost, over HTTP and directly at the registry's port, both with
// the writes to disk.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestRegistry } from "../packages/proctor/test/support/test-registry.ts";
import { fillAgents, nameOf } from "./fill-agents.ts";
import { sendLoad } from "./http-load.ts";
import { inTurns, type Result } from "./measure.ts";
import { cpuSeconds, startBare, startHub, type Server } from "./processes.ts";

const AGENTS = 10_000;
const BEATS = 20_000;
const PER_SECOND = 5000;
const BODY = JSON.stringify({ load: { active: 2, capacity: 8 } });

export async function bench(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), "proctor-bench-"));
  await fillAgents(folder, AGENTS);
  const answer = '{"state":"online","lease_seconds":10800,"interval_seconds":3600,"commands":[]}';
  const hub = await startHub({ concurrency: 0, folder });
  const bare = await startBare("./bare-http.mjs", [Buffer.from(answer).toString("base64")]);
  try {
    const cpu = await inTurns(
      5,
      () => cost(bare),
      () => cost(hub),
    );
    const port = await portCost();
    return [
      {
        name: "registry-beats",
        what: "share of a core for 5,000 beats a second over HTTP, 10,000 agents",
        value: (cpu.ours / BEATS) * PER_SECOND,
        bound: { atMost: 0.6 },
        unit: "ratio",
        details: { "bare us": (cpu.bare / BEATS) * 1e6, "ours us": (cpu.ours / BEATS) * 1e6 },
      },
      {
        name: "registry-beats",
        what: "the same at the port, without HTTP",
        value: port * PER_SECOND,
        bound: { atMost: 0.6 },
        unit: "ratio",
        details: { us: port * 1e6 },
      },
    ];
  } finally {
    await bare.stop();
    await hub.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function cost(server: Server): Promise<number> {
  const before = cpuSeconds(server.pid);
  await sendLoad({
    port: server.port,
    connections: 16,
    requests: BEATS,
    request: (index) =>
      `POST /registry/agents/${nameOf(index % AGENTS)}/heartbeat HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
    expect: " 200 ",
  });
  return cpuSeconds(server.pid) - before;
}

/** Resolves with the CPU seconds of one beat, including its share of the writes. */
async function portCost(): Promise<number> {
  const opened = await openTestRegistry();
  const { registry, clock, store } = opened;
  const agents = 1000;
  for (let number = 0; number < agents; number++) {
    await registry.register({ name: nameOf(number), interval_seconds: 3600 });
  }
  const before = process.cpuUsage();
  for (let second = 0; second < 20; second++) {
    for (let number = 0; number < PER_SECOND; number++) {
      void registry.beat(nameOf(number % agents), { load: { active: 2, capacity: 8 } });
    }
    clock.advance(1000);
    await store.ping();
  }
  const { user, system } = process.cpuUsage(before);
  await opened.close();
  return (user + system) / 1e6 / (20 * PER_SECOND);
}
