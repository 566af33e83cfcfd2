// Addresses with trouble behind them, through the whole hub: each trouble has its own code, ends the run in time, and leaves
// no connection open. What drivers make of every variety is in protocols/atp/*/driver-trouble.test.ts.
import { once } from "node:events";
import { createServer as createHttp2Server, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { drained, serveHttp, serveHttps, serveSocket } from "../support/http/servers.ts";
import type { RunRequest } from "../../src/core/ports/hub.ts";
import { grpcStage, httpStage, socketStage } from "../support/atp/stages.ts";
import { atpEventOf } from "../support/atp-words.ts";
import { openTestHub, type TestHub } from "../support/test-hub.ts";
import { raiseWatched } from "../support/watched-puppet.ts";
import { eventually } from "../support/eventually.ts";

let hub: TestHub;
const closers: (() => unknown)[] = [];

beforeAll(async () => {
  hub = await openTestHub({ graceMs: 200 });
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
afterAll(async () => {
  expect(hub.problems).toEqual([]);
  await hub.close();
});

async function start(agent: RunRequest["agent"], request: Partial<RunRequest> = {}): Promise<string> {
  const { run } = await hub.hub.submit({ agent, task: { description: "do it" }, ...request });
  return run.id;
}

async function codeOf(agent: string): Promise<unknown> {
  const { status, failure } = await hub.ended(await start(agent));
  expect(status).toBe("failed");
  return failure?.code;
}

const SCHEMES = ["http", "ws", "grpc"];
/** `http://…` as another kind of address. */
const as = (scheme: string, url: string): string => `atp+${url.replace(/^\w+/, scheme)}`;

describe.each(SCHEMES)("an address of %s", (scheme) => {
  it("where nobody listens is UNREACHABLE", async () => {
    const server = await serveSocket(() => undefined);
    await server.close();
    expect(await codeOf(as(scheme, server.url))).toBe("UNREACHABLE");
  });

  it("where somebody accepts and never reads ends at the deadline, however large the task", async () => {
    const server = await serveSocket((socket) => socket.pause());
    const id = await start(as(scheme, server.url), {
      task: { description: "do it", input_data: { padding: "x".repeat(5_000_000) } },
      constraints: { timeout_seconds: 1 },
    });
    expect(await hub.ended(id)).toMatchObject({ status: "timeout", failure: { code: "TIMEOUT" } });
    for (const socket of server.sockets) socket.resume();
    await drained(server);
  });

  it("where something else is spoken is INVALID_RESPONSE", async () => {
    const server = await serveSocket((socket) => socket.resume().end("SSH-2.0-OpenSSH_9.6\r\n"));
    expect(await codeOf(as(scheme, server.url))).toBe("INVALID_RESPONSE");
    await drained(server);
  });
});

describe.each([httpStage, socketStage, grpcStage])("an agent over $name whose connection", (stage) => {
  /** The limit is also that of the way to the first event. */
  async function begin(
    timeout_seconds: number,
  ): Promise<{ id: string; puppet: Awaited<ReturnType<typeof raiseWatched>> }> {
    const puppet = await raiseWatched(stage, (told) => told.event(atpEventOf(told, 0, "progress")));
    closers.push(() => puppet.close());
    const id = await start(puppet.spec, { constraints: { timeout_seconds } });
    await hub.until(id, ({ type }) => type === "progress");
    return { id, puppet };
  }

  it("closes half way is CONNECTION_LOST, with what came before", async () => {
    const { id, puppet } = await begin(60);
    puppet.halfClose();
    expect(await hub.ended(id)).toMatchObject({ status: "failed", failure: { code: "CONNECTION_LOST" } });
    await eventually(() => expect(puppet.open()).toBe(0));
  });

  it("goes dead ends at the deadline, and is let go; the next run gets one that lives", async () => {
    const { id, puppet } = await begin(3);
    puppet.freeze(true);
    expect(await hub.ended(id)).toMatchObject({ status: "timeout", failure: { code: "TIMEOUT" } });
    const next = await start(puppet.spec, { constraints: { timeout_seconds: 10 } });
    await hub.until(next, ({ type }) => type === "progress");
    await hub.hub.cancel(next);
    await hub.ended(next);
    puppet.freeze(false);
    // Calls of others may still use a gRPC connection: it is closed when it has rested.
    await eventually(() => expect(puppet.open()).toBe(0));
  });
});

describe("an answer that is none", () => {
  const heads: Record<string, { status: number; headers: Record<string, string> }> = {
    redirect: { status: 302, headers: { location: "http://127.0.0.1:1/elsewhere" } },
    page: { status: 200, headers: { "content-type": "text/html" } },
    error: { status: 503, headers: { "content-type": "text/plain" } },
  };

  it.each([
    ["http", "redirect", "REDIRECTED"],
    ["http", "page", "WRONG_CONTENT_TYPE"],
    ["http", "error", "HTTP_ERROR"],
    ["ws", "redirect", "REDIRECTED"],
    ["ws", "page", "HTTP_ERROR"],
    ["ws", "error", "HTTP_ERROR"],
    ["grpc", "redirect", "HTTP_ERROR"],
    ["grpc", "page", "WRONG_CONTENT_TYPE"],
    ["grpc", "error", "HTTP_ERROR"],
  ])("over %s, a %s, is %s", async (scheme, kind, code) => {
    const { status = 0, headers = {} } = heads[kind] ?? {};
    const url =
      scheme === "grpc"
        ? await serveHttp2((stream) => stream.respond({ ":status": status, ...headers }, { endStream: true }))
        : (await serveHttp((_request, response) => response.writeHead(status, headers).end("no"))).url;
    expect(await codeOf(as(scheme, url))).toBe(code);
  });
});

describe("TLS", () => {
  it.each(["https", "wss"])("with a certificate that nobody trusts is TLS_FAILED over %s", async (scheme) => {
    let asked = false;
    const server = await serveHttps((_request, response) => {
      asked = true;
      response.end();
    });
    expect(await codeOf(as(scheme, server.url))).toBe("TLS_FAILED");
    expect(asked).toBe(false);
    await drained(server);
  });

  it.each(["https", "wss"])("with somebody who does not speak it is TLS_FAILED over %s", async (scheme) => {
    const server = await serveHttp((_request, response) => response.end());
    expect(await codeOf(as(scheme, server.url))).toBe("TLS_FAILED");
    await drained(server);
  });

  it.each([
    ["http", "CONNECTION_LOST"],
    ["ws", "UNREACHABLE"],
    ["grpc", "CONNECTION_LOST"],
  ])("at the other end of a plain address of %s is %s", async (scheme, code) => {
    const server = await serveHttps((_request, response) => response.end());
    const url = server.url.replace("https", "http");
    expect(await codeOf(as(scheme, url))).toBe(code);
    await drained(server);
  });
});

async function serveHttp2(answer: (stream: ServerHttp2Stream) => void): Promise<string> {
  const server = createHttp2Server();
  const sessions = new Set<{ destroy(): void }>();
  server.on("session", (session) => sessions.add(session));
  server.on("stream", (stream) => {
    // The hub may drop the connection first.
    stream.on("error", () => undefined);
    answer(stream);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
