// Turns of `proctor mock agent` over JSON-RPC in version 0.3, in which most scripts are written, each a task of its own, every request captured and
// shown, against node:http that parses the same body and answers with the same bytes. Only the CPU time of the servers counts: half a
// millisecond is 2,000 turns per second and core.
import { sendLoad } from "./http-load.ts";
import { inTurns, type Result } from "./measure.ts";
import { cpuSeconds, startBare, startScriptedAgent, type Server } from "./processes.ts";

const CONNECTIONS = 16;
const REQUESTS = 4000;
const ROUNDS = 7;
const TURN = [
  { kind: "status-update", status: { state: "working" } },
  { kind: "task", status: { state: "completed" } },
];

export async function bench(): Promise<Result[]> {
  const agent = await startScriptedAgent({ default: { turns: [TURN] } });
  try {
    const answered = await fetch(`http://127.0.0.1:${agent.port}/`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: bodyOf(0),
    });
    const answer = await answered.text();
    const bare = await startBare("./bare-http.mjs", [Buffer.from(answer).toString("base64"), "200"]);
    try {
      const seconds = await inTurns(
        ROUNDS,
        () => load(bare),
        () => load(agent),
      );
      const details = { "bare/s of CPU": REQUESTS / seconds.bare, "ours/s of CPU": REQUESTS / seconds.ours };
      return [
        {
          name: "scripted-agent",
          what: "unary turns of a scripted agent with capture / raw node:http POST, CPU time of the servers",
          value: seconds.bare / seconds.ours,
          bound: { atLeast: 0.06 },
          unit: "ratio",
          details,
        },
        {
          name: "scripted-turn",
          what: "CPU of a unary turn of a scripted agent with capture; 0.5 ms are 2,000 per second and core",
          value: (seconds.ours / REQUESTS) * 1000,
          bound: { atMost: 0.5 },
          unit: "ms",
          details,
        },
      ];
    } finally {
      await bare.stop();
    }
  } finally {
    await agent.stop();
  }
}

/** Resolves with the CPU seconds that the server used for the load. */
async function load({ port, pid }: Server): Promise<number> {
  const before = cpuSeconds(pid);
  await sendLoad({ port, connections: CONNECTIONS, requests: REQUESTS, request, expect: "200" });
  return cpuSeconds(pid) - before;
}

function request(index: number): string {
  const body = bodyOf(index);
  const head = `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json`;
  return `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function bodyOf(index: number): string {
  const parts = [{ kind: "text", text: "Go on." }];
  const message = { kind: "message", role: "user", messageId: `m-${index}`, parts };
  return JSON.stringify({ jsonrpc: "2.0", id: index, method: "message/send", params: { message } });
}
