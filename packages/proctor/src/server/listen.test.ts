import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { ProctorError } from "../core/errors.ts";
import type { Clock } from "../core/ports/clock.ts";
import { eventually } from "../../test/support/eventually.ts";
import { createManualClock } from "../../test/support/manual-clock.ts";
import { createHarness, RUN, type Harness } from "../../test/support/server/app-harness.ts";
import { ErrorDocument } from "./schemas/common.ts";
import { listen, type Listening, type SocketLimits } from "../runtime/http/listen.ts";
import type { AppDeps } from "./app.ts";

const opened: { close(): Promise<void> | void }[] = [];

afterEach(async () => {
  for (const thing of opened.splice(0).reverse()) await thing.close();
});

async function serve(
  overrides: Partial<AppDeps> & { limits?: Partial<SocketLimits>; socketClock?: Clock } = {},
) {
  const { limits = {}, socketClock, ...deps } = overrides;
  const harness: Harness = createHarness(deps);
  const server: Listening = await listen({
    app: harness.app,
    host: "127.0.0.1",
    port: 0,
    limits,
    ...(socketClock && { clock: socketClock }),
  });
  opened.push({ close: () => server.close(0) });
  return { ...harness, server };
}

/** A raw connection that remembers what it received. */
async function dial(server: Listening) {
  const socket: Socket = connect(server.port, "127.0.0.1");
  let received = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => (received += chunk));
  socket.on("error", () => {});
  const closed = once(socket, "close");
  await once(socket, "connect");
  opened.push({ close: () => void socket.destroy() });
  return {
    socket,
    closed,
    text: () => received,
    /** Waits until the text has arrived. */
    async until(text: string): Promise<string> {
      while (!received.includes(text)) {
        const [event] = await Promise.race([
          once(socket, "data").then(() => ["data"]),
          closed.then(() => ["close"]),
        ]);
        if (event === "close" && !received.includes(text)) throw new Error(`closed after ${received}`);
      }
      return received;
    },
  };
}

const head = (method: string, path: string, ...headers: string[]): string =>
  [`${method} ${path} HTTP/1.1`, "Host: 127.0.0.1", ...headers, "", ""].join("\r\n");

/** The error document after an answer's head. */
function errorIn(answer: string): unknown {
  return ErrorDocument.parse(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))));
}

describe("a listening server", () => {
  it("closes the connection when it refuses an upload that it has not read", async () => {
    const { server, hub } = await serve();
    const run = await hub.begin("x");
    hub.addFile = () => Promise.reject(new ProctorError("STORE_FULL", "the disk is full"));
    const path = `/runs/${run.id}/artifacts?file_name=a.bin`;
    const upload = await dial(server);
    upload.socket.write(`${head("POST", path, "Content-Length: 1000000")}some of it`);
    await upload.closed;
    expect(upload.text()).toMatch(/^HTTP\/1\.1 507 /);
    expect(upload.text().toLowerCase()).toContain("connection: close");
    const whole = await dial(server);
    whole.socket.write(`${head("POST", path, "Content-Length: 2")}ab`);
    expect((await whole.until("}")).toLowerCase()).toContain("507");
  });

  it("takes a burst of connections", async ({ skip }) => {
    const burst = 2000;
    const files = Number(execFileSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" }));
    if (files < 2 * burst + 500) skip(`ulimit -n is ${files}, and both ends of ${burst} sockets need more`);
    const { server } = await serve();
    const answers = await Promise.all(
      Array.from({ length: burst }, async () => {
        const socket = connect(server.port, "127.0.0.1");
        opened.push({ close: () => void socket.destroy() });
        socket.write(head("GET", "/healthz"));
        const [first] = (await once(socket, "data")) as [Buffer];
        socket.destroy();
        return first.toString().slice(0, 12);
      }),
    );
    expect(new Set(answers)).toEqual(new Set(["HTTP/1.1 200"]));
  }, 60_000);

  it("answers over a real socket, with a length", async () => {
    const { server, hub } = await serve();
    const run = await hub.begin("größe");
    const response = await fetch(`${server.url}/runs/${run.id}`);
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
    expect(JSON.parse(text)).toEqual(run);
    const posted = await fetch(`${server.url}/runs`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(RUN),
    });
    expect(posted.status).toBe(202);
    const removed = await fetch(`${server.url}/agents/none`, { method: "DELETE" });
    expect(removed.status).toBe(404);
  });

  it("says what is wrong when the port is taken", async () => {
    const { server, app } = await serve();
    const second = listen({ app, host: "127.0.0.1", port: server.port });
    await expect(second).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(second).rejects.toThrow(/port is in use\n.*--port/s);
  });

  it("answers a request whose target makes no URL", async () => {
    const { server } = await serve();
    const client = await dial(server);
    client.socket.write("GET /runs\\..\\x HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n");
    await client.closed;
    expect(client.text()).toMatch(/^HTTP\/1\.1 400 /);
    expect(client.text()).toContain("INVALID_REQUEST");
  });

  it("answers what is no HTTP at all", async () => {
    const { server } = await serve();
    const client = await dial(server);
    client.socket.write("hello\r\n\r\n");
    await client.closed;
    expect(client.text()).toMatch(/^HTTP\/1\.1 400 /);
    expect(errorIn(client.text())).toMatchObject({ code: "INVALID_REQUEST" });
  });

  it("writes no refusal into the middle of an answer", async () => {
    const { server, hub } = await serve();
    const { id } = await hub.begin();
    const client = await dial(server);
    client.socket.write(head("GET", `/runs/${id}/events`, "Accept: text/event-stream"));
    await client.until("run.started");
    client.socket.write("hello\r\n\r\n");
    await client.closed;
    expect(client.text().match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it("refuses headers beyond the limit", async () => {
    const { server, logs } = await serve({ limits: { maxHeaderBytes: 2048 } });
    const client = await dial(server);
    client.socket.write(head("GET", "/runs", `X-Long: ${"x".repeat(4096)}`));
    await client.closed;
    expect(client.text()).toMatch(/^HTTP\/1\.1 431 /);
    expect(errorIn(client.text())).toMatchObject({ code: "HEADERS_TOO_LARGE" });
    expect(logs).toEqual([]);
  });
});

describe("bodies on a socket", () => {
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

  it("are refused while they still come in, when they grow over the limit", async () => {
    const { server, hub } = await serve({ bodyLimitBytes: 1000 });
    const client = await dial(server);
    const headers = ["Content-Type: application/json", "Transfer-Encoding: chunked"];
    client.socket.write(head("POST", "/runs", ...headers) + chunk("x".repeat(600)));
    client.socket.write(chunk("x".repeat(600)));
    // The body has no end yet.
    expect(await client.until("PAYLOAD_TOO_LARGE")).toMatch(/^HTTP\/1\.1 413 /);
    await client.closed;
    expect(hub.calls).toEqual([]);
  });

  it("are refused by their length before any of it is read", async () => {
    const { server } = await serve({ bodyLimitBytes: 1000 });
    const client = await dial(server);
    client.socket.write(
      head("POST", "/runs", "Content-Type: application/json", "Content-Length: 1000000000"),
    );
    expect(await client.until("PAYLOAD_TOO_LARGE")).toMatch(/^HTTP\/1\.1 413 /);
    await client.closed;
  });

  it("are accepted in pieces", async () => {
    const { server } = await serve();
    const client = await dial(server);
    const body = JSON.stringify(RUN);
    client.socket.write(
      head("POST", "/runs", "Content-Type: application/json", "Transfer-Encoding: chunked"),
    );
    for (const character of body) client.socket.write(chunk(character));
    client.socket.write("0\r\n\r\n");
    expect(await client.until('"status":"queued"')).toMatch(/^HTTP\/1\.1 202 /);
  });

  it("are cut off in time when they only drip in", async () => {
    // The head has all the time that it needs: a request that it comes too late for is never logged.
    const limits = { bodyTimeoutMs: 100, checkIntervalMs: 20 };
    const { server, hub, logs } = await serve({ limits });
    const client = await dial(server);
    client.socket.write(
      head("POST", "/runs", "Content-Type: application/json", "Content-Length: 100") + '{"agent"',
    );
    await client.closed;
    expect(client.text()).toMatch(/^(?:HTTP\/1\.1 408 |$)/);
    await expect.poll(() => logs.length).toBe(1);
    expect(logs[0]).toMatchObject({ status: 400, code: "INVALID_REQUEST" });
    expect(hub.calls).toEqual([]);
  });

  /** An upload at a server whose time stands still, and what of it has arrived. */
  async function beginUpload() {
    const clock = createManualClock();
    const { server, hub } = await serve({ socketClock: clock });
    const run = await hub.begin("x");
    let arrived = 0;
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let begun = false;
    hub.addFile = async (_id, { content }) => {
      begun = true;
      await gate;
      for await (const piece of content) arrived += piece.length;
      throw new ProctorError("STORE_FULL", "it came as a whole");
    };
    const client = await dial(server);
    const path = `/runs/${run.id}/artifacts?file_name=a.bin`;
    client.socket.write(head("POST", path, "Content-Length: 1000000"));
    return {
      clock,
      client,
      open,
      /** Resolves when the hub has the request, and has turned since. */
      begun: async (): Promise<void> => {
        await eventually(() => expect(begun).toBe(true));
        await (await fetch(`${server.url}/runs`)).text();
      },
      send: async (bytes: number): Promise<void> => {
        const expected = arrived + bytes;
        client.socket.write("x".repeat(bytes));
        await eventually(() => expect(arrived).toBe(expected));
      },
    };
  }

  it("may take longer than any silence while they come on", async () => {
    const { clock, client, open, send } = await beginUpload();
    open();
    for (let piece = 0; piece < 10; piece += 1) {
      await send(100_000);
      clock.advance(55_000);
    }
    expect(await client.until("it came as a whole")).toMatch(/^HTTP\/1\.1 507 /);
  });

  it("are cut off after a minute of silence, however much has come", async () => {
    const { clock, client, open, send } = await beginUpload();
    open();
    await send(900_000);
    clock.advance(5000);
    clock.advance(55_000);
    expect(client.socket.destroyed).toBe(false);
    clock.advance(10_000);
    await client.closed;
    expect(client.text()).toMatch(/^(?:HTTP\/1\.1 408 |$)/);
  });

  it("are not cut off for waiting until the hub reads them", async () => {
    const { clock, client, open, begun } = await beginUpload();
    client.socket.write("x".repeat(1_000_000));
    await begun();
    for (let minute = 0; minute < 10; minute += 1) clock.advance(60_000);
    open();
    expect(await client.until("it came as a whole")).toMatch(/^HTTP\/1\.1 507 /);
  });

  it("start nothing when their client leaves half way, and are no failure of the hub", async () => {
    const { server, hub, logs } = await serve();
    for (const header of ["Content-Length: 100", "Transfer-Encoding: chunked"]) {
      const client = await dial(server);
      client.socket.write(
        head("POST", "/runs", "Content-Type: application/json", header) + chunk('{"agent"'),
      );
      await expect.poll(() => client.socket.bytesWritten).toBeGreaterThan(0);
      client.socket.resetAndDestroy();
    }
    await expect.poll(() => logs.length).toBe(2);
    expect(logs.map(({ status }) => status)).toEqual([400, 400]);
    expect(hub.calls).toEqual([]);
  });

  it("are not waited for without end: a connection without a request is closed in time", async () => {
    const { server } = await serve({
      limits: { headersTimeoutMs: 50, bodyTimeoutMs: 50, checkIntervalMs: 20 },
    });
    const client = await dial(server);
    client.socket.write("GET /runs HTT");
    await client.closed;
    expect(client.text()).toMatch(/^HTTP\/1\.1 408 /);
    expect(errorIn(client.text())).toMatchObject({ code: "REQUEST_TIMEOUT" });
  });
});

describe("event streams on a socket", () => {
  const accept = "Accept: text/event-stream";

  it("begin at once and follow live", async () => {
    const { server, hub } = await serve();
    const { id } = await hub.begin();
    const client = await dial(server);
    client.socket.write(head("GET", `/runs/${id}/events`, accept));
    await client.until('"type":"run.started"');
    hub.append(id, { type: "progress", payload: { message: "half" } });
    await client.until('"message":"half"');
    hub.end(id);
    const text = await client.until("0\r\n\r\n");
    expect(Array.from(text.matchAll(/^id: (\d+)$/gm), ([, sequence]) => Number(sequence))).toEqual([
      0, 1, 2, 3, 4,
    ]);
  });

  it("are let go when the client disconnects", async () => {
    const { server, hub } = await serve();
    const { id } = await hub.begin();
    const client = await dial(server);
    client.socket.write(head("GET", `/runs/${id}/events`, accept));
    await client.until('"type":"run.started"');
    await expect.poll(() => hub.listeners()).toBe(1);
    client.socket.resetAndDestroy();
    await expect.poll(() => hub.listeners()).toBe(0);
  });

  it("read no more of the log than the socket holds while a reader stalls, and miss nothing later", async () => {
    const { server, hub } = await serve();
    const { id } = await hub.begin();
    const events = hub.events.bind(hub);
    let read = 0;
    hub.events = async (...args) => {
      const page = await events(...args);
      read += page.length;
      return page;
    };
    const client = await dial(server);
    client.socket.pause();
    client.socket.write(head("GET", `/runs/${id}/events`, accept, "Connection: close"));
    const total = 500;
    const thought = "x".repeat(64 * 1024);
    for (let index = 0; index < total; index++) hub.append(id, { type: "reasoning", payload: { thought } });
    hub.end(id);
    // 32 MB wait; what is read settles at what the kernel's buffers and one page take.
    let before = -1;
    await expect
      .poll(
        () => {
          const settled = read > 0 && read === before;
          before = read;
          return settled;
        },
        { interval: 100 },
      )
      .toBe(true);
    expect(read).toBeLessThan(total / 2);
    client.socket.resume();
    await client.closed;
    const ids = Array.from(client.text().matchAll(/^id: (\d+)$/gm), ([, sequence]) => Number(sequence));
    expect(ids).toEqual(Array.from({ length: total + 4 }, (_, index) => index));
  });
});

describe("artifacts on a socket", () => {
  const artifact = {
    id: "a1",
    type: "file" as const,
    path: "x.bin",
    size_bytes: 300_000,
    content_hash: `sha256:${"0".repeat(64)}`,
  };

  it("come whole and in ranges", async () => {
    const { server, hub } = await serve();
    const { id } = await hub.begin();
    const bytes = Buffer.alloc(300_000, "abc");
    hub.addArtifact(id, artifact, bytes);
    const url = `${server.url}/runs/${id}/artifacts/a1/content`;
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(bytes)).toBe(true);
    const part = await fetch(url, { headers: { range: "bytes=3-5" } });
    expect([part.status, await part.text(), part.headers.get("content-length")]).toEqual([206, "abc", "3"]);
    const head = await fetch(url, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, "300000"]);
  });

  it("are cut off when their bytes fail half way, never passed as whole", async () => {
    const { server, hub, logs } = await serve();
    const { id } = await hub.begin();
    hub.addArtifact(id, artifact, Buffer.alloc(300_000));
    hub.readFailure = new Error("disk gone");
    const response = await fetch(`${server.url}/runs/${id}/artifacts/a1/content`);
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect(logs.at(-1)).toMatchObject({ level: "error", run_id: id, message: "a response was cut off" });
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

describe("closing a listening server", () => {
  it("ends streams, lets a request in flight finish, and refuses new connections", async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let asked = (): void => {};
    const arrived = new Promise<void>((resolve) => (asked = resolve));
    const ready = async (): Promise<void> => {
      asked();
      await held;
    };
    const { server, hub } = await serve({ ready });
    const { id } = await hub.begin();
    const idle = await dial(server);
    idle.socket.write(head("GET", "/healthz"));
    await idle.until('"ok"');
    const stream = await dial(server);
    stream.socket.write(head("GET", `/runs/${id}/events`, "Accept: text/event-stream"));
    await stream.until('"type":"run.started"');
    const inFlight = await dial(server);
    inFlight.socket.write(head("GET", "/readyz"));
    await arrived;

    const closing = server.close(10_000);
    await stream.closed;
    expect(stream.text()).toMatch(/0\r\n\r\n$/);
    await idle.closed;
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
    release();
    expect(await inFlight.until('"ok"')).toMatch(/^HTTP\/1\.1 200 /);
    await closing;
    await inFlight.closed;
    expect(hub.listeners()).toBe(0);
  });

  it("cuts what does not finish within the grace", async () => {
    let asked = (): void => {};
    const arrived = new Promise<void>((resolve) => (asked = resolve));
    const ready = (): Promise<void> => {
      asked();
      return new Promise(() => {});
    };
    const { server } = await serve({ ready });
    const client = await dial(server);
    client.socket.write(head("GET", "/readyz"));
    await arrived;
    const [first, second] = [server.close(30), server.close(30)];
    await Promise.all([first, second]);
    await client.closed;
    expect(client.text()).toBe("");
  });
});
