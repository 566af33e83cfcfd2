import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { connect as connectSocket, createServer, type AddressInfo, type Socket } from "node:net";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { createGrpcClient } from "./client.ts";
import { Health } from "./gen/grpc/health/v1/health_pb.ts";
import { listenGrpc } from "./listen-grpc.ts";
import { eventually, HANG_MS } from "../../../test/support/eventually.ts";
import { moduleLiteral, scriptArgs } from "../../../test/support/source-script.ts";

const run = promisify(execFile);
const never = new AbortController().signal;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe("a gRPC client", () => {
  it("shares one connection with others to the same origin", async () => {
    const { url, connections } = await serve();
    const clients = [1, 2, 3].map(() => createGrpcClient(Health, { url }));
    await Promise.all(clients.map(({ connect }) => connect(never)));
    const answers = await Promise.all(clients.map(({ service }) => service.check({ service: "" })));
    expect(answers.map(({ status }) => status)).toEqual([1, 1, 1]);
    expect(connections()).toBe(1);
  });

  it("connects again when the server was away", async () => {
    const first = await serve();
    const client = createGrpcClient(Health, { url: first.url });
    await client.connect(never);
    await client.service.check({ service: "" });
    await first.close();
    // Until the client has noticed, it takes the old connection for a good one.
    await eventually(() => expect(client.connect(never)).rejects.toThrow("ECONNREFUSED"));
    const again = await serve(first.port);
    await client.connect(never);
    expect((await client.service.check({ service: "" })).status).toBe(1);
    expect(again.connections()).toBe(1);
  });

  it("gives up a connection that does not come about, and leaves when told to", async () => {
    const { connect } = createGrpcClient(Health, { url: await serveNobody(), connectTimeoutMs: 100 });
    await expect(connect(never)).rejects.toThrow("no connection within 0.1 s");
    const leaving = new AbortController();
    const attempt = connect(leaving.signal);
    leaving.abort(new Error("enough"));
    await expect(attempt).rejects.toThrow("enough");
    await expect(connect(AbortSignal.abort(new Error("before")))).rejects.toThrow("before");
  });

  it("does not keep the process from exiting, with a connection that is idle", async () => {
    const { url } = await serve();
    const program = `
      await connect(new AbortController().signal);
      console.log((await service.check({ service: "" })).status);`;
    expect(await runClient(url, program)).toBe("1\n");
  });

  it("does not keep the process from exiting, with an attempt that nobody waits for any longer", async () => {
    const program = `await connect(AbortSignal.timeout(50)).catch((error) => console.log(error.name));`;
    expect(await runClient(await serveNobody(), program)).toBe("TimeoutError\n");
  });
});

/** What a program prints that ends when nothing is left to do; it fails when a connection is left that keeps it alive. */
async function runClient(url: string, program: string): Promise<string> {
  const file = (path: string): string => moduleLiteral(path, import.meta.url);
  const script = `
    import { createGrpcClient } from ${file("./client.ts")};
    import { Health } from ${file("./gen/grpc/health/v1/health_pb.ts")};
    const { connect, service } = createGrpcClient(Health, { url: ${JSON.stringify(url)} });
    ${program}
    const isKept = () => process.getActiveResourcesInfo().includes("TCPSocketWrap");
    // One that is being closed is gone after a few turns.
    for (let turn = 0; turn < 100 && isKept(); turn++) await new Promise(setImmediate);
    process.exitCode = isKept() ? 1 : 0;`;
  return (await run(process.execPath, scriptArgs(script), { timeout: HANG_MS })).stdout;
}

/** A program that listens and accepts nobody; those who are in its queue already keep all others out. */
async function serveNobody(): Promise<string> {
  const program = `
    const server = require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
      require("node:fs").writeSync(1, String(server.address().port));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  closers.push(() => child.kill("SIGKILL"));
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  const queue = [1, 2, 3, 4].map(() => connectSocket(Number(port), "127.0.0.1").on("error", () => undefined));
  closers.push(() => queue.forEach((socket) => socket.destroy()));
  await once(queue[0] as Socket, "connect");
  return `grpc://127.0.0.1:${Number(port)}`;
}

async function serve(
  port = 0,
): Promise<{ url: string; port: number; connections: () => number; close: () => Promise<void> }> {
  const server = await listenGrpc({
    host: "127.0.0.1",
    port: 0,
    routes: [],
    authorize: () => undefined,
    onError: (problem) => {
      throw problem;
    },
  });
  // Counts the connections on the way.
  const sockets: Socket[] = [];
  const front = createServer((socket) => {
    const back = connectSocket(server.port, "127.0.0.1");
    sockets.push(socket);
    socket.on("error", () => back.destroy()).on("close", () => back.destroy());
    back.on("error", () => socket.destroy()).on("close", () => socket.destroy());
    socket.pipe(back).pipe(socket);
  });
  front.listen(port, "127.0.0.1");
  await once(front, "listening");
  const bound = (front.address() as AddressInfo).port;
  async function close(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    if (front.listening) {
      front.close();
      await once(front, "close");
    }
    await server.close(0);
  }
  closers.push(close);
  return { url: `grpc://127.0.0.1:${bound}`, port: bound, connections: () => sockets.length, close };
}
