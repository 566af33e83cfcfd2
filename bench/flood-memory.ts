// Resident memory of the hub while one agent emits a million events of 300 bytes as fast as it can.
import { join } from "node:path";
import type { Result } from "./measure.ts";
import { FIXTURES, residentMb, startHub } from "./processes.ts";

const EVENTS = 1_000_000;

export async function bench(): Promise<Result> {
  const hub = await startHub({ concurrency: 2 });
  const url = `http://127.0.0.1:${hub.port}/runs`;
  try {
    await runToEnd(url, 1000);
    const before = residentMb(hub.pid);
    let peak = before;
    const sampler = setInterval(() => (peak = Math.max(peak, residentMb(hub.pid))), 50);
    const startedAt = performance.now();
    const status = await runToEnd(url, EVENTS);
    clearInterval(sampler);
    if (status !== "completed") throw new Error(`the flood ended ${status}`);
    return {
      name: "flood-memory",
      what: "growth of the hub's resident memory during 1,000,000 events of 300 bytes",
      value: peak - before,
      bound: { atMost: 100 },
      unit: "MB",
      details: { "before MB": before, "events/s": (EVENTS / (performance.now() - startedAt)) * 1000 },
    };
  } finally {
    await hub.stop();
  }
}

async function runToEnd(url: string, events: number): Promise<string> {
  const agent = {
    protocol: "atp",
    transport: "stdio",
    command: ["node", join(FIXTURES, "flood-events.mjs"), String(events)],
  };
  const created = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ agent, task: { description: "flood" }, constraints: { timeout_seconds: 600 } }),
  });
  const { id } = (await created.json()) as { id: string };
  for (;;) {
    const { status, ended_at } = (await (await fetch(`${url}/${id}`)).json()) as {
      status: string;
      ended_at: string | null;
    };
    if (ended_at !== null) return status;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
