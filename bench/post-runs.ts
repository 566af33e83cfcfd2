// Creating a run, on disk before the answer, against node:http that parses the same body and answers with the same
// bytes. The client is node:http with 32 kept-alive connections; the CPU of the servers alone is in the details.
import { Agent, request } from "node:http";
import { inTurns, secondsOf, type Result } from "./measure.ts";
import { cpuSeconds, startBare, startHub, type Server } from "./processes.ts";

const CONNECTIONS = 32;
const REQUESTS = 4000;
const BODY = JSON.stringify({
  agent: "atp+stdio:true",
  task: { description: "Find top 5 competitors for Slack", input_data: { company: "Slack" } },
});

export async function bench(): Promise<Result> {
  const hub = await startHub({ concurrency: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  try {
    const answer = Buffer.from(await post(hub.port, agent)).toString("base64");
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
        name: "post-runs",
        what: "POST /runs durable (synchronous=FULL) / raw node:http POST, 32 connections of a node:http client",
        value: seconds.bare / seconds.ours,
        bound: { atLeast: 0.5 },
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
    while (left-- > 0) await post(server.port, agent);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
}

function post(port: number, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(BODY) };
    const sent = request(
      { host: "127.0.0.1", port, path: "/runs", method: "POST", agent, headers },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("end", () =>
          response.statusCode === 202 ? resolve(text) : reject(new Error(`${response.statusCode}: ${text}`)),
        );
      },
    );
    sent.on("error", reject).end(BODY);
  });
}
