// An engine that answers what a test says, on a unix socket: for what a real one cannot be made to do.
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface FakeEngine {
  env: NodeJS.ProcessEnv;
  /** `POST /containers/create` and the like, in the order in which they came. */
  requests: string[];
  close(): Promise<void>;
}

/** A value is sent as JSON with 200; a function answers itself. */
export type FakeAnswer =
  | object
  | ((request: IncomingMessage, response: ServerResponse, body: string) => void);

const DOCKER = {
  "GET /version": {
    Version: "28.0.0",
    ApiVersion: "1.48",
    Components: [{ Name: "Engine", Version: "28.0.0" }],
  },
  "GET /info": {
    Driver: "overlay2",
    MemoryLimit: true,
    PidsLimit: true,
    CpuCfsQuota: true,
    Name: "elsewhere",
    KernelVersion: "1.0",
  },
};

export async function startFakeEngine(answers: Record<string, FakeAnswer> = {}): Promise<FakeEngine> {
  const dir = await mkdtemp(join(tmpdir(), "proctor-fake-engine-"));
  const socketPath = join(dir, "engine.sock");
  const all: Record<string, FakeAnswer> = { ...DOCKER, ...answers };
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://engine").pathname.replace(/^\/v[\d.]+/, "");
    const key = `${request.method} ${path}`;
    requests.push(key);
    let body = "";
    request.setEncoding("latin1");
    request.on("data", (piece: string) => (body += piece));
    request.on("end", () => {
      const answer = all[key];
      if (typeof answer === "function") answer(request, response, body);
      else
        sendJson(response, answer === undefined ? 404 : 200, answer ?? { message: `no such thing: ${path}` });
    });
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return {
    env: { DOCKER_HOST: `unix://${socketPath}` },
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
