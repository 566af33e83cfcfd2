// Runs of an HTTP agent on a hub in this process, every event durable, against bare fetches of the same agent by the same
// process: what it costs to have a run instead of a request. The rate through the hub's HTTP API is in the details.
import { setMaxListeners } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestHub, type TestHub } from "../packages/proctor/test/support/test-hub.ts";
import { register, sendTasks } from "./agent-load.ts";
import { inTurns, secondsOf, WARM_UPS, type Result } from "./measure.ts";
import { startBare, startHub } from "./processes.ts";

const CONCURRENCY = 64;
const TASKS = 1500;
const ROUNDS = 7;

export async function bench(): Promise<Result[]> {
  const agent = await startBare("./bare-agent.mjs");
  const folder = mkdtempSync(join(tmpdir(), "proctor-http-runs-"));
  const hub = await openTestHub({ folder, concurrency: CONCURRENCY, agentConcurrency: CONCURRENCY });
  try {
    const cpu = { bare: 0, ours: 0 };
    const seconds = await inTurns(
      ROUNDS,
      () => measured(cpu, "bare", () => fetchAll(agent.port)),
      () => measured(cpu, "ours", () => runAll(hub, agent.port)),
    );
    const rounds = ROUNDS + WARM_UPS;
    const added = (cpu.ours - cpu.bare) / rounds / TASKS;
    const door = await throughTheDoor(agent.port);
    return [
      {
        name: "http-runs",
        what: "runs of an HTTP agent on the hub, 64 at once, durable / bare fetches of the same agent",
        value: seconds.bare / seconds.ours,
        bound: { atLeast: 0.35 },
        unit: "ratio",
        details: {
          "bare/s": TASKS / seconds.bare,
          "ours/s": TASKS / seconds.ours,
          "through /atp/…/execute/s": door,
        },
      },
      {
        name: "http-run-cpu",
        what: "CPU that a run adds to a bare fetch",
        value: added * 1000,
        bound: { atMost: 1.5 },
        unit: "ms",
        details: {
          "bare ms": (cpu.bare / rounds / TASKS) * 1000,
          "ours ms": (cpu.ours / rounds / TASKS) * 1000,
        },
      },
    ];
  } finally {
    await agent.stop();
    await hub.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measured(
  cpu: { bare: number; ours: number },
  side: "bare" | "ours",
  work: () => Promise<void>,
): Promise<number> {
  const before = process.cpuUsage();
  const seconds = await secondsOf(work);
  const { user, system } = process.cpuUsage(before);
  cpu[side] += (user + system) / 1e6;
  return seconds;
}

function fetchAll(port: number): Promise<void> {
  return sendTasks({ port, path: "/execute/stream", tasks: TASKS, concurrency: CONCURRENCY });
}

async function runAll({ hub, reader }: TestHub, port: number): Promise<void> {
  const never = new AbortController().signal;
  setMaxListeners(0, never);
  let left = TASKS;
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const task = { description: "Find top 5 competitors for Slack" };
      const { run } = await hub.submit({ agent: `atp+http://127.0.0.1:${port}`, task });
      const { status } = await reader.ended(run.id, never);
      if (status !== "completed") throw new Error(`a run ended ${status}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
}

/** Resolves with the completed tasks per second of a hub in a process of its own, over HTTP. */
async function throughTheDoor(agentPort: number): Promise<number> {
  const server = await startHub({ concurrency: CONCURRENCY });
  try {
    await register(server.port, agentPort);
    const load = { port: server.port, path: "/atp/bare/execute", tasks: TASKS, concurrency: CONCURRENCY };
    for (let round = 0; round < 3; round++) await sendTasks(load);
    return TASKS / (await secondsOf(() => sendTasks(load)));
  } finally {
    await server.stop();
  }
}
