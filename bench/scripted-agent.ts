// Turns of a scripted agent over JSON-RPC, each a task of its own, every request captured, against node:http that parses the same body. Only the
// CPU time of the servers counts. The bound means 2,000 turns per second and core where the bare server answers 33,000.
import { sendLoad } from "./http-load.ts";
import { inTurns, type Result } from "./measure.ts";
import { cpuSeconds, startBare, type Server } from "./processes.ts";

const CONNECTIONS = 16;
const REQUESTS = 4000;
const ROUNDS = 7;
const ANSWER = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{}}').toString("base64");

export async function bench(): Promise<Result> {
  const bare = await startBare("./bare-http.mjs", [ANSWER, "200"]);
  const agent = await startBare("./scripted-agent-server.mjs");
  try {
    const seconds = await inTurns(
      ROUNDS,
      () => load(bare),
      () => load(agent),
    );
    return {
      name: "scripted-agent",
      what: "unary turns of a scripted agent with capture / raw node:http POST, CPU time of the servers",
      value: seconds.bare / seconds.ours,
      bound: { atLeast: 0.06 },
      unit: "ratio",
      details: { "bare/s of CPU": REQUESTS / seconds.bare, "ours/s of CPU": REQUESTS / seconds.ours },
    };
  } finally {
    await agent.stop();
    await bare.stop();
  }
}

/** CPU seconds that the server used. */
async function load({ port, pid }: Server): Promise<number> {
  const before = cpuSeconds(pid);
  await sendLoad({ port, connections: CONNECTIONS, requests: REQUESTS, request, expect: "200" });
  return cpuSeconds(pid) - before;
}

function request(index: number): string {
  const message = {
    kind: "message",
    role: "user",
    messageId: `m-${index}`,
    parts: [{ kind: "text", text: "Go on." }],
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: index, method: "message/send", params: { message } });
  const head = `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json`;
  return `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
