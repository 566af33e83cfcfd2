// Events of one run to one reader, through the SSE, WebSocket and gRPC surfaces, each against a bare loop in the same
// process that writes the same frames. The run has already ended, so that the speed is that of a surface and not of an agent.
import { spawn } from "node:child_process";
import { request } from "node:http";
import { fileURLToPath } from "node:url";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { WebSocket } from "ws";
import { encodeRequestMessage } from "../packages/proctor/src/protocols/atp/grpc/messages.ts";
import { AGENT_SERVICE } from "../packages/proctor/src/protocols/atp/grpc/service.ts";
import { inTurns, secondsOf, type Result } from "./measure.ts";
import { TYPESCRIPT } from "./processes.ts";

const SERVER = fileURLToPath(new URL("./atp-streams-server.ts", import.meta.url));

export interface StreamsServer {
  taskId: string;
  events: number;
  app: number;
  bare: number;
  grpc: number;
  bareGrpc: number;
}

export async function bench(): Promise<Result[]> {
  const child = spawn(process.execPath, [...TYPESCRIPT, SERVER], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const server = JSON.parse(await firstLine(child.stdout)) as StreamsServer;
    return [
      await compare(
        "sse-surface",
        "SSE frames",
        server,
        readSse(server.bare, server),
        readSse(server.app, server),
      ),
      await compare(
        "ws-surface",
        "WebSocket frames",
        server,
        readSocket(server.bare, server),
        readSocket(server.app, server),
      ),
      await compare(
        "grpc-surface",
        "gRPC messages",
        server,
        readGrpc(server.bareGrpc, server),
        readGrpc(server.grpc, server),
      ),
    ];
  } finally {
    child.kill("SIGKILL");
  }
}

type Read = () => Promise<number>;

async function compare(
  name: string,
  what: string,
  { events }: StreamsServer,
  bare: Read,
  ours: Read,
): Promise<Result> {
  const timed = (read: Read) => () =>
    secondsOf(async () => {
      const count = await read();
      if (count < events - 1) throw new Error(`${name}: ${count} of ${events} events arrived`);
    });
  const seconds = await inTurns(5, timed(bare), timed(ours));
  return {
    name,
    what: `${what} of one run to one reader / a bare loop that writes the same`,
    value: seconds.bare / seconds.ours,
    bound: { atLeast: 0.5 },
    unit: "ratio",
    details: { "bare/s": events / seconds.bare, "ours/s": events / seconds.ours },
  };
}

function readSse(port: number, { taskId }: StreamsServer): Read {
  const body = JSON.stringify({ version: "1.0", task_id: taskId, task: { description: "x" } });
  const headers = { "content-type": "application/json", accept: "text/event-stream", "last-event-id": "0" };
  return () =>
    new Promise((resolve, reject) => {
      const path = "/atp/stored/execute/stream";
      const sent = request({ host: "127.0.0.1", port, path, method: "POST", headers }, (response) => {
        let count = 0;
        response.on("data", (chunk: Buffer) => {
          for (let at = chunk.indexOf("\n\n"); at >= 0; at = chunk.indexOf("\n\n", at + 2)) count++;
        });
        response.on("end", () => resolve(count));
      });
      sent.on("error", reject).end(body);
    });
}

function readSocket(port: number, { taskId }: StreamsServer): Read {
  return () =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/atp/stored/ws`, "atp.v1");
      let count = 0;
      socket.on("error", reject);
      socket.on("open", () => socket.send(JSON.stringify({ type: "resume", task_id: taskId, after: 0 })));
      socket.on("message", (data) => {
        count++;
        if ((data as Buffer).includes('"status":')) socket.close(1000);
      });
      socket.on("close", () => resolve(count));
    });
}

function readGrpc(port: number, { taskId }: StreamsServer): Read {
  const client = createClient(AGENT_SERVICE, createGrpcTransport({ baseUrl: `http://127.0.0.1:${port}` }));
  return async () => {
    let count = 0;
    const headers = { "atp-agent": "stored" };
    const task = encodeRequestMessage({ version: "1.0", task_id: taskId });
    for await (const _ of client.executeStream(task, { headers })) count++;
    return count;
  };
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream) {
    text += String(chunk);
    if (text.includes("\n")) return text.slice(0, text.indexOf("\n"));
  }
  throw new Error("the server ended before it listened");
}
