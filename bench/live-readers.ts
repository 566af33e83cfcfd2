// Ten readers of one run's event stream against one: how much CPU the hub's process uses while the run is live.
import { request } from "node:http";
import type { Result } from "./measure.ts";
import { inTurns } from "./measure.ts";
import { cpuSeconds, startHub, type Server } from "./processes.ts";

const EVENTS = 20_000;
const AGENT = new URL("../packages/proctor/test/fixtures/agents/flood-events.mjs", import.meta.url).pathname;

export async function bench(): Promise<Result> {
  const hub = await startHub({ concurrency: 1 });
  try {
    const cpu = await inTurns(
      5,
      () => follow(hub, 1),
      () => follow(hub, 10),
    );
    return {
      name: "live-readers",
      what: `CPU of a run of ${EVENTS} events with ten readers / with one`,
      value: cpu.ours / cpu.bare,
      bound: { atMost: 1.5 },
      unit: "ratio",
      details: { "one ms": cpu.bare * 1000, "ten ms": cpu.ours * 1000 },
    };
  } finally {
    await hub.stop();
  }
}

async function follow(hub: Server, readers: number): Promise<number> {
  const before = cpuSeconds(hub.pid);
  const url = `http://127.0.0.1:${hub.port}/runs`;
  const agent = { protocol: "atp", transport: "stdio", command: [process.execPath, AGENT, String(EVENTS)] };
  const created = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ agent, task: { description: "flood" } }),
  });
  const { id } = (await created.json()) as { id: string };
  await Promise.all(Array.from({ length: readers }, () => drain(hub.port, `/runs/${id}/events`)));
  return cpuSeconds(hub.pid) - before;
}

/** Reads a stream to its end. The bytes are not parsed, because readers and hub share a machine. */
function drain(port: number, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(
      { port, host: "127.0.0.1", path, agent: false, headers: { accept: "text/event-stream" } },
      (response) => {
        response.on("end", resolve).on("error", reject).resume();
      },
    )
      .on("error", reject)
      .end();
  });
}
