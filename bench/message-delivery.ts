// How long an envelope takes from its sender to a receiver that waits: from the POST until the long poll is answered, including the write
// to disk.
import { Agent } from "node:http";
import { median, type Result } from "./measure.ts";
import { poll, postEnvelope } from "./message-load.ts";
import { startHub } from "./processes.ts";

const MESSAGES = 1000;
const WARM_UP = 100;

export async function bench(): Promise<Result> {
  const hub = await startHub({ concurrency: 0 });
  const agent = new Agent({ keepAlive: true });
  try {
    const times: number[] = [];
    let after = 0;
    for (let count = 0; count < MESSAGES + WARM_UP; count++) {
      const waiting = poll(hub.port, agent, "user:b", after);
      // The poll is sent first; two milliseconds are enough for the hub to let it wait.
      await new Promise((resolve) => setTimeout(resolve, 2));
      const start = performance.now();
      const [items] = await Promise.all([waiting, postEnvelope(hub.port, agent, "user:b")]);
      if (count >= WARM_UP) times.push(performance.now() - start);
      after = items.at(-1)?.position ?? after;
    }
    times.sort((a, b) => a - b);
    return {
      name: "message-delivery",
      what: "an envelope from POST to a receiver that waits, median",
      value: median(times),
      bound: { atMost: 5 },
      unit: "ms",
      details: { "p99 ms": times[Math.floor(times.length * 0.99)] ?? Infinity },
    };
  } finally {
    agent.destroy();
    await hub.stop();
  }
}
