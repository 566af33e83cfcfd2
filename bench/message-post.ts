// Sending an envelope, on disk before the answer, against node:http that parses the same body and answers with the same bytes.
import { Agent } from "node:http";
import { inTurns, secondsOf, type Result } from "./measure.ts";
import { postEnvelope } from "./message-load.ts";
import { cpuSeconds, startBare, startHub, type Server } from "./processes.ts";

const CONNECTIONS = 32;
const REQUESTS = 4000;
/** So many that no inbox is full at the end. */
const RECEIVERS = 100;

export async function bench(): Promise<Result> {
  const hub = await startHub({ concurrency: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  try {
    const answer = Buffer.from(await postEnvelope(hub.port, agent, "user:0")).toString("base64");
    const bare = await startBare("./bare-http.mjs", [answer, "202"]);
    try {
      const cpuBefore = [cpuSeconds(bare.pid), cpuSeconds(hub.pid)] as const;
      const seconds = await inTurns(
        9,
        () => secondsOf(() => load(bare, agent)),
        () => secondsOf(() => load(hub, agent)),
      );
      const cpuRatio = (cpuSeconds(bare.pid) - cpuBefore[0]) / (cpuSeconds(hub.pid) - cpuBefore[1]);
      return {
        name: "message-post",
        what: "POST /messages durable (synchronous=FULL) / raw node:http POST, 32 connections of a node:http client",
        value: seconds.bare / seconds.ours,
        bound: { atLeast: 0.4 },
        unit: "ratio",
        details: {
          "bare/s": REQUESTS / seconds.bare,
          "ours/s": REQUESTS / seconds.ours,
          "server CPU ratio": cpuRatio,
        },
      };
    } finally {
      await bare.stop();
    }
  } finally {
    agent.destroy();
    await hub.stop();
  }
}

async function load(server: Server, agent: Agent): Promise<void> {
  let left = REQUESTS;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await postEnvelope(server.port, agent, `user:${left % RECEIVERS}`);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
}
