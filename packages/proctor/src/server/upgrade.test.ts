import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { acceptSocket } from "../channels/websocket/accept-socket.ts";
import { ProctorError } from "../core/errors.ts";
import type { MessageSocket } from "../core/ports/message-socket.ts";
import type { Surface } from "../protocols/protocol.ts";
import { createHarness } from "../../test/support/server/app-harness.ts";
import { listen, type Listening } from "../runtime/http/listen.ts";

const opened: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** A surface that echoes; some paths do something else. */
function echoSurface() {
  const served: MessageSocket[] = [];
  const traces: string[] = [];
  let hold = Promise.resolve();
  const surface: Surface = {
    path: "/echo",
    fetch: () => new Response("plain"),
    async upgrade(request, { traceId }) {
      traces.push(traceId);
      const { pathname } = new URL(request.url);
      if (pathname.startsWith("/echo/slow")) await hold;
      if (pathname === "/echo/slow/no") throw new ProctorError("AGENT_NOT_FOUND", "no such agent");
      if (pathname === "/echo/none") throw new ProctorError("AGENT_NOT_FOUND", "no such agent");
      if (pathname === "/echo/bug") throw new Error("a bug");
      if (pathname === "/echo/teapot") return new Response("short and stout", { status: 418 });
      return {
        protocols: ["best.v2", "good.v1"],
        async serve(socket) {
          served.push(socket);
          for await (const text of socket.messages) {
            if (text === "throw") throw new Error("a bug while serving");
            if (text === "leave") return;
            await socket.send(text);
          }
        },
      };
    },
    close: () => {},
  };
  return { surface, served, traces, holdUntil: (promise: Promise<void>) => void (hold = promise) };
}

async function serve(options: { tokens?: string[]; keepAliveMs?: number } = {}) {
  const echo = echoSurface();
  const harness = createHarness({ mounts: [echo.surface], tokens: options.tokens ?? [] });
  const server: Listening = await listen({
    app: harness.app,
    host: "127.0.0.1",
    port: 0,
    acceptSocket: (upgrade) =>
      acceptSocket({ ...upgrade, maxMessageBytes: 10_000, keepAliveMs: options.keepAliveMs ?? 15_000 }),
  });
  opened.push(() => server.close(0));
  return { ...harness, ...echo, server, url: server.url.replace("http", "ws") };
}

async function open(
  url: string,
  protocols: string[] = [],
  options: WebSocket.ClientOptions = {},
): Promise<WebSocket> {
  const ws = new WebSocket(url, protocols, options);
  opened.push(() => ws.terminate());
  await once(ws, "open");
  return ws;
}

/** The status of the refusal and its body. */
function refused(url: string, protocols: string[] = [], options: WebSocket.ClientOptions = {}) {
  return new Promise<{ status: number | undefined; headers: object; body: string }>((resolve, reject) => {
    const ws = new WebSocket(url, protocols, options);
    ws.on("error", reject);
    ws.on("open", () => reject(new Error("it was accepted")));
    ws.on("unexpected-response", (_request, response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (body += chunk));
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, body }));
    });
  });
}

const KEY = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==";
const VERSION = "Sec-WebSocket-Version: 13";

/** Sends a head of its own making; gives what came back until the connection ended. */
async function ask(server: Listening, requestLine: string, ...headers: string[]): Promise<string> {
  const raw: Socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
  let received = "";
  raw.setEncoding("utf8");
  raw.on("data", (chunk: string) => (received += chunk));
  raw.on("error", () => {});
  opened.push(() => raw.destroy());
  raw.write([requestLine, ...headers, "", ""].join("\r\n"));
  // It never closes its own half: the server must not wait for that.
  await once(raw, "end");
  raw.destroy();
  return received;
}

const head = (...extra: string[]): string[] => [
  "Host: 127.0.0.1",
  "Connection: Upgrade",
  "Upgrade: websocket",
  ...extra,
];

describe("a WebSocket on the server", () => {
  it("is served, and logged once when it ends", async () => {
    const { url, logs } = await serve();
    const ws = await open(`${url}/echo/any`);
    ws.send("hello");
    const [data] = (await once(ws, "message")) as [Buffer];
    expect(data.toString()).toBe("hello");
    expect(logs).toEqual([]);
    ws.close(1000);
    await expect.poll(() => logs.length).toBe(1);
    expect(logs[0]).toMatchObject({
      method: "GET",
      path: "/echo/any",
      status: 101,
      level: "info",
      close_code: 1000,
    });
    expect(logs[0]?.["duration_ms"]).toBeGreaterThan(0);
  });

  it("names its trace, the caller's where it has one", async () => {
    const { url, traces } = await serve();
    const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
    const ws = new WebSocket(`${url}/echo`, { headers: { traceparent } });
    opened.push(() => ws.terminate());
    const [response] = (await once(ws, "upgrade")) as [{ headers: Record<string, string> }];
    expect(response.headers["x-trace-id"]).toBe("a".repeat(32));
    expect(traces).toEqual(["a".repeat(32)]);
  });

  it.each([
    [[], ""],
    [["good.v1"], "good.v1"],
    [["good.v1", "best.v2", "x"], "best.v2"],
  ])("agrees, of the offered %j, on %j", async (offered, agreed) => {
    const { url } = await serve();
    expect((await open(`${url}/echo`, offered)).protocol).toBe(agreed);
  });

  it("ends with 1000 when its service leaves, and with 1011 when it throws, which is logged", async () => {
    const { url, logs } = await serve();
    const leaving = await open(`${url}/echo`);
    leaving.send("leave");
    expect((await once(leaving, "close"))[0]).toBe(1000);
    const failing = await open(`${url}/echo`);
    failing.send("throw");
    expect((await once(failing, "close"))[0]).toBe(1011);
    await expect.poll(() => logs.length).toBe(2);
    expect(logs[1]).toMatchObject({ status: 101, level: "error", code: "INTERNAL_ERROR", close_code: 1011 });
    expect(logs[1]?.["error"]).toContain("a bug while serving");
  });

  it("still answers plain requests at the same path, and those that would upgrade to something else", async () => {
    const { server, logs } = await serve();
    expect(await (await fetch(`${server.url}/echo`)).text()).toBe("plain");
    const http2 = [
      "Host: 127.0.0.1",
      "Connection: Upgrade, HTTP2-Settings",
      "Upgrade: h2c",
      "HTTP2-Settings: AAMAAABk",
    ];
    expect(await ask(server, "GET /healthz HTTP/1.1", ...http2)).toMatch(/^HTTP\/1\.1 200 [^]*"ok"/);
    expect(logs.map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe("the refusal of a WebSocket", () => {
  it.each([
    ["an unknown path", "/nothing", 404, "NOT_FOUND"],
    ["a path that is no WebSocket", "/runs", 404, "NOT_FOUND"],
    ["what the surface throws", "/echo/none", 404, "AGENT_NOT_FOUND"],
    ["a bug", "/echo/bug", 500, "INTERNAL_ERROR"],
  ])("tells %s in the form of the neutral API", async (_name, path, status, code) => {
    const { url, logs } = await serve();
    const answer = await refused(url + path);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ code });
    expect(answer.body).not.toContain("a bug");
    expect(answer.headers).toMatchObject({ connection: "close", "x-trace-id": expect.any(String) as string });
    expect(logs).toHaveLength(1);
    expect(logs[0]).toMatchObject({ status, path, code });
  });

  it("is the surface's own response where it gives one", async () => {
    const { url } = await serve();
    expect(await refused(`${url}/echo/teapot`)).toMatchObject({ status: 418, body: "short and stout" });
  });

  it("meets a client that offers only other subprotocols", async () => {
    const { url } = await serve();
    const { status, body } = await refused(`${url}/echo`, ["other.v1"]);
    expect(status).toBe(400);
    expect(body).toContain("best.v2, good.v1");
  });

  it.each([
    ["no key", "GET /echo HTTP/1.1", head(VERSION), 400],
    ["a malformed key", "GET /echo HTTP/1.1", head(VERSION, "Sec-WebSocket-Key: abc"), 400],
    ["two keys", "GET /echo HTTP/1.1", head(VERSION, KEY, KEY), 400],
    ["no version", "GET /echo HTTP/1.1", head(KEY), 400],
    ["an old version", "GET /echo HTTP/1.1", head(KEY, "Sec-WebSocket-Version: 7"), 400],
    ["another method", "POST /echo HTTP/1.1", head(KEY, VERSION), 400],
    ["a method that may not be asked", "TRACE /echo HTTP/1.1", head(KEY, VERSION), 400],
    ["an empty subprotocol", "GET /echo HTTP/1.1", head(KEY, VERSION, "Sec-WebSocket-Protocol: "), 400],
    [
      "a subprotocol twice",
      "GET /echo HTTP/1.1",
      head(KEY, VERSION, "Sec-WebSocket-Protocol: good.v1, good.v1"),
      400,
    ],
    ["a target that is no path", "GET http://evil/echo HTTP/1.1", head(KEY, VERSION), 400],
    ["a target that is a star", "GET * HTTP/1.1", head(KEY, VERSION), 400],
    ["a Host that is none", "GET /echo HTTP/1.1", ["Host: a b", ...head(KEY, VERSION).slice(1)], 400],
    ["a Host with a path", "GET /echo HTTP/1.1", ["Host: 127.0.0.1/x?", ...head(KEY, VERSION).slice(1)], 400],
    ["a path that looks like a host", "GET //evil.example/echo HTTP/1.1", head(KEY, VERSION), 404],
  ])("meets %s, and the connection ends", async (_name, line, headers, status) => {
    const { server, served } = await serve();
    expect(await ask(server, line, ...headers)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(served).toEqual([]);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

it("the server lets go of a refused client that never closes its half", async () => {
  const { server } = await serve();
  const raw = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
  raw.on("error", () => {});
  raw.resume();
  const closed = new Promise((resolve) => raw.on("close", resolve));
  raw.write(["GET /nothing HTTP/1.1", ...head(KEY, VERSION), "", ""].join("\r\n"));
  await once(raw, "end");
  const talking = setInterval(() => raw.write("still here"), 50);
  await closed;
  clearInterval(talking);
});

describe("a WebSocket may be opened by", () => {
  it.each(["https://evil.example", "null", "http://127.0.0.1:1"])(
    "no page from %s, token or not",
    async (origin) => {
      const without = await serve();
      expect(await refused(`${without.url}/echo`, [], { headers: { origin } })).toMatchObject({
        status: 403,
      });
      const closed = await serve({ tokens: ["t-1"] });
      const headers = { origin, authorization: "Bearer t-1" };
      expect(await refused(`${closed.url}/echo`, [], { headers })).toMatchObject({ status: 403 });
      expect(await refused(`${closed.url}/echo?access_token=t-1`, [], { headers: { origin } })).toMatchObject(
        {
          status: 403,
        },
      );
      expect(without.served.length + closed.served.length).toBe(0);
    },
  );

  it("the hub's own pages", async () => {
    const { url, server } = await serve();
    await open(`${url}/echo`, [], { headers: { origin: server.url } });
  });

  it("nobody under a name that may have been rebound", async () => {
    const { url } = await serve();
    expect(await refused(`${url}/echo`, [], { headers: { host: "evil.example" } })).toMatchObject({
      status: 403,
    });
  });

  it("whoever holds a token, in the header or in the query", async () => {
    const { url, logs } = await serve({ tokens: ["t-1"] });
    await open(`${url}/echo`, [], { headers: { authorization: "Bearer t-1" } });
    const ws = await open(`${url}/echo?access_token=t-1`);
    ws.close();
    await expect.poll(() => logs.length).toBe(1);
    expect(JSON.stringify(logs)).not.toContain("t-1");
    for (const query of [
      "",
      "?access_token=wrong",
      "?access_token=",
      "?access_token=%0d%0aX:t-1",
      "?access_token=%E2%98%83",
    ]) {
      expect(await refused(`${url}/echo${query}`)).toMatchObject({ status: 401 });
    }
    expect(
      await refused(`${url}/echo?access_token=t-1`, [], { headers: { authorization: "Bearer wrong" } }),
    ).toMatchObject({ status: 401 });
    // Of unknown paths it says nothing either.
    expect(await refused(`${url}/nothing`)).toMatchObject({ status: 401 });
  });
});

describe("stopping a server with WebSockets", () => {
  it("closes sockets with 1001 and logs them", async () => {
    const { url, server, logs } = await serve();
    const sockets = await Promise.all(Array.from({ length: 5 }, () => open(`${url}/echo`)));
    const codes = Promise.all(sockets.map(async (ws) => (await once(ws, "close"))[0] as number));
    await server.close(5000);
    expect(await codes).toEqual(Array<number>(5).fill(1001));
    expect(logs.filter(({ status }) => status === 101)).toHaveLength(5);
  });

  it("cuts a socket that does not answer within the grace", async () => {
    const { url, server, logs } = await serve();
    const ws = await open(`${url}/echo`);
    ws.pause();
    await server.close(50);
    expect(logs).toHaveLength(1);
    expect(logs[0]).toMatchObject({ status: 101, close_code: 1006 });
  });

  it("ends a socket whose upgrade was still being decided", async () => {
    const { url, server, holdUntil, traces } = await serve();
    let release = (): void => {};
    holdUntil(new Promise((resolve) => (release = resolve)));
    const ws = new WebSocket(`${url}/echo/slow`);
    const closed = once(ws, "close");
    await expect.poll(() => traces.length).toBe(1);
    const closing = server.close(5000);
    release();
    expect((await closed)[0]).toBe(1001);
    await closing;
  });
});

describe("hostile clients of WebSockets", () => {
  it("that leave while the upgrade is being decided are let go", async () => {
    const { server, holdUntil, traces, logs, served } = await serve();
    let release = (): void => {};
    holdUntil(new Promise((resolve) => (release = resolve)));
    for (let index = 0; index < 20; index++) {
      const raw = connect(server.port, "127.0.0.1");
      raw.on("error", () => {});
      raw.write(
        [`GET /echo/slow${index % 3 === 0 ? "/no" : ""} HTTP/1.1`, ...head(KEY, VERSION), "", ""].join(
          "\r\n",
        ) + "x".repeat(index * 1000),
      );
      await expect.poll(() => traces.length, { interval: 2 }).toBe(index + 1);
      if (index % 2 === 0) raw.resetAndDestroy();
      else raw.end();
    }
    release();
    await expect.poll(() => logs.length).toBe(20);
    await expect
      .poll(async () => (await Promise.all(served.map(({ closed }) => closed))).length)
      .toBe(served.length);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  it("that vanish without a word are dropped", async () => {
    const { url, logs } = await serve({ keepAliveMs: 20 });
    const gone = Array.from({ length: 20 }, () => {
      const ws = new WebSocket(`${url}/echo`, { autoPong: false });
      return once(ws, "close");
    });
    await Promise.all(gone);
    await expect.poll(() => logs.length).toBe(20);
    expect(logs.every((entry) => entry["close_code"] === 1006)).toBe(true);
  });
});
