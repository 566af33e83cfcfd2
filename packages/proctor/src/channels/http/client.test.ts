import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createHttpClient, type HttpClient } from "./client.ts";
import { deferred, drained, serveHttp, serveSocket } from "../../../test/support/http/servers.ts";
import type { Exchange } from "./exchange.ts";
import { eventually } from "../../../test/support/eventually.ts";

const signal = (): AbortSignal => new AbortController().signal;
const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

function post(client: HttpClient, url: string, stop: AbortSignal = signal()): Promise<Exchange> {
  return client.post({ url: new URL(url), headers: {}, content: "{}" }, stop);
}

/** The whole body of an answer; fails the test when there is none. */
async function textOf(exchanged: Exchange): Promise<string> {
  if (exchanged.kind === "failed") throw new Error(`${exchanged.trouble.kind}: ${exchanged.trouble.message}`);
  const { body } = exchanged.answer;
  let text = "";
  for (let chunk = await body.read(); chunk !== undefined; chunk = await body.read())
    text += chunk.toString();
  expect(body.trouble).toBeUndefined();
  return text;
}

/** Connections that keep this process alive. */
const held = (): number => process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;

describe("requests of the HTTP client", () => {
  it("carry texts and bytes, or nothing at all", async () => {
    const asked: string[] = [];
    const server = await serveHttp((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const length = request.headers["content-length"] ?? "none";
        asked.push(`${request.method} ${request.url} ${length} ${Buffer.concat(chunks).toString("latin1")}`);
        response.end("ok");
      });
    });
    const client = createHttpClient();
    const ask = { url: new URL(`${server.url}/a?b=c`), headers: {} };
    await textOf(await client.get(ask, signal()));
    await textOf(await client.post({ ...ask, content: "ü" }, signal()));
    await textOf(await client.post({ ...ask, content: Uint8Array.of(255) }, signal()));
    await textOf(await client.post({ ...ask, content: "" }, signal()));
    expect(asked).toEqual(["GET /a?b=c none ", "POST /a?b=c 2 Ã¼", "POST /a?b=c 1 ÿ", "POST /a?b=c 0 "]);
  });
});

describe("connections of the HTTP client", () => {
  it("are kept for the next request, and do not keep the process", async () => {
    const server = await serveHttp((request, response) => {
      request.socket.unref();
      response.end("ok");
    });
    const client = createHttpClient();
    await eventually(() => expect(held()).toBe(0));
    for (let index = 0; index < 3; index++) expect(await textOf(await post(client, server.url))).toBe("ok");
    await eventually(() => expect(held()).toBe(0));
    expect(server.connections).toBe(1);
    expect(server.sockets.size).toBe(1);
  });

  it("are opened anew when the server says close", async () => {
    const server = await serveHttp((_request, response) =>
      response.setHeader("connection", "close").end("ok"),
    );
    const client = createHttpClient();
    for (let index = 0; index < 2; index++) expect(await textOf(await post(client, server.url))).toBe("ok");
    expect(server.connections).toBe(2);
  });

  it("are kept when the unwanted rest of a body is short", async () => {
    const server = await serveHttp((_request, response) => response.end("x".repeat(10_000)));
    const client = createHttpClient();
    for (let index = 0; index < 20; index++) {
      const exchanged = await post(client, server.url);
      if (exchanged.kind === "answered") exchanged.answer.body.release();
    }
    // The rest may come after the next request has gone out.
    expect(server.connections).toBeLessThan(5);
  });

  it("do not keep the process while the rest of a body is waited for", async () => {
    const server = await serveHttp((request, response) => {
      request.socket.unref();
      response.writeHead(200).write("x");
    });
    await eventually(() => expect(held()).toBe(0));
    const exchanged = await post(createHttpClient(), server.url);
    expect(held()).toBe(1);
    if (exchanged.kind === "answered") exchanged.answer.body.release();
    expect(held()).toBe(0);
    await drained(server);
  });

  it("are closed when the unwanted rest of a body is long or late", async () => {
    const server = await serveHttp((request, response) => {
      if (request.url === "/late") return void response.writeHead(200).write("x");
      const pour = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        if (!response.destroyed) response.once("drain", pour);
      };
      pour();
    });
    const client = createHttpClient();
    for (const path of ["/late", "/long"]) {
      const exchanged = await post(client, server.url + path);
      if (exchanged.kind === "answered") exchanged.answer.body.release();
      await drained(server);
    }
  });
});

describe("a kept connection that the server gave up", () => {
  /** What the client takes for the time. */
  let nowMs = 0;
  beforeEach(() => {
    nowMs = 0;
    vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** The first request is answered; on the second, the same connection does what the test says. */
  async function askTwice(second: (socket: Socket) => void, once = false) {
    const server = await serveSocket((socket) => {
      let requests = 0;
      socket.on("data", () => {
        if (server.connections > 1 || ++requests === 1) socket.write(OK);
        else second(socket);
      });
    });
    const client = createHttpClient();
    expect(await textOf(await post(client, server.url))).toBe("ok");
    await new Promise((resolve) => setImmediate(resolve));
    const message = { url: new URL(server.url), headers: {}, content: "{}", once };
    return { exchanged: await client.post(message, signal()), server };
  }

  it("is replaced by a fresh one, once", async () => {
    for (const giveUp of ["resetAndDestroy", "end"] as const) {
      const { exchanged, server } = await askTwice((socket) => socket[giveUp]());
      expect(await textOf(exchanged)).toBe("ok");
      expect(server.connections).toBe(2);
    }
  });

  it("is not replaced for what must not be sent twice", async () => {
    const { exchanged, server } = await askTwice((socket) => socket.resetAndDestroy(), true);
    expect(exchanged).toMatchObject({ kind: "failed", trouble: { kind: "lost" } });
    expect(server.connections).toBe(1);
  });

  it("is not replaced when a byte of an answer came", async () => {
    const { exchanged, server } = await askTwice((socket) => socket.end("H"));
    expect(exchanged).toMatchObject({ kind: "failed", trouble: { kind: "lost" } });
    expect(server.connections).toBe(1);
  });

  it("is not replaced when the server had time to read the request", async () => {
    const { exchanged, server } = await askTwice((socket) => {
      nowMs += 2000;
      socket.resetAndDestroy();
    });
    expect(exchanged).toMatchObject({ kind: "failed", trouble: { kind: "lost" } });
    expect(server.connections).toBe(1);
  });
});

it("the HTTP client limits the time to connect, not the time of the answer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const server = await serveHttp((_request, response) => {
      vi.advanceTimersByTime(60_000);
      response.end("late");
    });
    expect(await textOf(await post(createHttpClient({ connectTimeoutMs: 10_000 }), server.url))).toBe("late");
  } finally {
    vi.useRealTimers();
  }
});

it("the HTTP client gives a late reader all that arrived before the connection broke", async () => {
  const server = await serveSocket((socket) => {
    socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nbegun"));
  });
  const exchanged = await post(createHttpClient(), server.url);
  if (exchanged.kind === "failed") throw new Error(exchanged.trouble.message);
  const { body } = exchanged.answer;
  await drained(server);
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect((await body.read())?.toString()).toBe("begun");
  expect(await body.read()).toBeUndefined();
  expect(body.trouble).toMatchObject({ kind: "lost" });
});

describe("aborting a request of the HTTP client", () => {
  it("closes the connection before the answer, and in the middle of its body", async () => {
    const asked = deferred();
    const server = await serveHttp((request, response) => {
      if (request.url === "/silent") return asked.resolve();
      response.writeHead(200).write("begun");
    });
    const client = createHttpClient();

    const early = new AbortController();
    const silent = post(client, `${server.url}/silent`, early.signal);
    await asked.promise;
    early.abort();
    expect(await silent).toMatchObject({ kind: "failed", trouble: { kind: "closed" } });

    const late = new AbortController();
    const exchanged = await post(client, server.url, late.signal);
    if (exchanged.kind === "failed") throw new Error(exchanged.trouble.message);
    const { body } = exchanged.answer;
    expect((await body.read())?.toString()).toBe("begun");
    const waiting = body.read();
    late.abort();
    expect(await waiting).toBeUndefined();
    expect(body.trouble).toMatchObject({ kind: "closed" });
    await drained(server);
  });

  it("after the end of the body leaves the kept connection alone", async () => {
    const server = await serveHttp((_request, response) => response.end("ok"));
    const client = createHttpClient();
    const stop = new AbortController();
    expect(await textOf(await post(client, server.url, stop.signal))).toBe("ok");
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    expect(await textOf(await post(client, server.url))).toBe("ok");
    expect(server.connections).toBe(1);
  });
});

it("the HTTP client speaks to IPv6 addresses, where the machine has them", async () => {
  const exchanged = await post(createHttpClient(), "http://[::1]:1/");
  expect(exchanged).toMatchObject({ kind: "failed", trouble: { kind: "unreachable" } });
  expect(exchanged.kind === "failed" && exchanged.trouble.code).not.toBe("ENOTFOUND");
});
