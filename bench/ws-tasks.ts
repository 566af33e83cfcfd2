// A thousand tasks multiplexed on one WebSocket: all complete, and the hub's memory stays small.
import { randomUUID } from "node:crypto";
import { WebSocket } from "ws";
import { register } from "./agent-load.ts";
import { secondsOf, type Result } from "./measure.ts";
import { residentMb, startBare, startHub } from "./processes.ts";

const TASKS = 1000;

export async function bench(): Promise<Result> {
  const hub = await startHub({ concurrency: TASKS });
  const agent = await startBare("./bare-agent.mjs");
  try {
    await register(hub.port, agent.port);
    let peak = 0;
    const sampler = setInterval(() => (peak = Math.max(peak, residentMb(hub.pid))), 20);
    const seconds = await secondsOf(() => sendAll(hub.port));
    clearInterval(sampler);
    return {
      name: "ws-tasks",
      what: "resident memory of the hub while 1,000 tasks share one WebSocket",
      value: peak,
      bound: { atMost: 300 },
      unit: "MB",
      details: { "tasks/s": TASKS / seconds },
    };
  } finally {
    await agent.stop();
    await hub.stop();
  }
}

function sendAll(port: number): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/atp/bare/ws`, "atp.v1");
  const waiting = new Set(Array.from({ length: TASKS }, () => randomUUID() as string));
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("close", (code) => (waiting.size === 0 ? resolve() : reject(new Error(`closed with ${code}`))));
    socket.on("open", () => {
      for (const task_id of waiting) {
        socket.send(JSON.stringify({ version: "1.0", task_id, task: { description: "do it" } }));
      }
    });
    socket.on("message", (data) => {
      // The `ws` package delivers text messages as buffers.
      const message = JSON.parse((data as Buffer).toString()) as { task_id: string; status?: string };
      if (message.status === undefined) return;
      if (message.status !== "completed") reject(new Error(JSON.stringify(message)));
      waiting.delete(message.task_id);
      if (waiting.size === 0) socket.close(1000);
    });
  });
}
