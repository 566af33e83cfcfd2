// The Hub over HTTP against a real server that answers, refuses, cuts off and comes back.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { readSse } from "../channels/sse/read-sse.ts";
import type { RunEvent } from "../core/event.ts";
import { createHttpHub } from "./http-hub.ts";
import { findCollector } from "../../test/support/find-collector.ts";

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const servers: Server[] = [];
const NEVER = new AbortController().signal;

afterEach(async () => {
  await Promise.all(servers.splice(0).map(stop));
});

async function serve(handler: Handler, port = 0): Promise<{ url: string; server: Server; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      seen.push(`${request.method} ${request.url}`);
      handler(request, response, body);
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  servers.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, seen };
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  if (!server.listening) return;
  server.close();
  await once(server, "close");
}

function json(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

const event = (sequence: number, type = "log"): RunEvent =>
  ({
    run_id: "r1",
    sequence,
    timestamp: "2026-01-01T00:00:00.000Z",
    type,
    payload: type === "run.ended" ? { status: "completed" } : { stream: "stdout", text: `line ${sequence}` },
  }) as RunEvent;

const frame = (document: RunEvent) =>
  `id: ${document.sequence}\nevent: event\ndata: ${JSON.stringify(document)}\n\n`;

async function collect(events: AsyncIterable<RunEvent>): Promise<number[]> {
  const sequences: number[] = [];
  for await (const { sequence } of events) sequences.push(sequence);
  return sequences;
}

test("the hub over HTTP speaks the neutral API: paths, queries, bodies and headers", async () => {
  const requests: Record<string, unknown>[] = [];
  const { url, seen } = await serve(({ headers }, response, body) => {
    requests.push({ ...headers, body: body === "" ? undefined : JSON.parse(body) });
    json(response, { id: "r1", items: [event(3)], next_cursor: null }, 202, {
      "idempotency-replayed": "true",
    });
  });
  const hub = createHttpHub({ url: `${url}/`, token: "t0ken", readSse });

  const submitted = await hub.submit(
    { agent: "a", task: { description: "x" } },
    { idempotencyKey: "k", traceId: "a".repeat(32) },
  );
  await hub.runs({ status: ["failed", "timeout"], agent: "atp+stdio:a b", limit: 5, cursor: "c/1" });
  expect(await hub.events("r1", { after: 2, limit: 7 })).toEqual([event(3)]);
  await hub.cancel("r1", "enough");
  await hub.pause("r1");
  await hub.resume("r1");
  await hub.artifact("r1", "a1");
  await hub.agents({});
  await hub.agent("writer");
  await hub.addAgent({ name: "writer", protocol: "atp", transport: "stdio", command: ["x"] });
  await hub.addAgent(
    { name: "writer", protocol: "atp", transport: "stdio", command: ["x"] },
    { replace: true },
  );
  await hub.removeAgent("../runs?x");

  expect(submitted).toMatchObject({ run: { id: "r1" }, created: false });
  expect(seen).toEqual([
    "POST /runs",
    "GET /runs?status=failed%2Ctimeout&agent=atp%2Bstdio%3Aa+b&limit=5&cursor=c%2F1",
    "GET /runs/r1/events?after=2&limit=7",
    "POST /runs/r1/cancel",
    "POST /runs/r1/pause",
    "POST /runs/r1/resume",
    "GET /runs/r1/artifacts/a1",
    "GET /agents",
    "GET /agents/writer",
    "POST /agents",
    "PUT /agents/writer",
    "DELETE /agents/..%2Fruns%3Fx",
  ]);
  expect(requests[0]).toMatchObject({
    authorization: "Bearer t0ken",
    "content-type": "application/json",
    "idempotency-key": "k",
    traceparent: expect.stringMatching(/^00-a{32}-[0-9a-f]{16}-01$/),
    body: { agent: "a", task: { description: "x" } },
  });
  expect(requests[3]).toMatchObject({ body: { reason: "enough" } });
});

test("the hub over HTTP talks to runs by the neutral API, whatever their ids are", async () => {
  const bodies: unknown[] = [];
  const { url, seen } = await serve((_, response, body) => {
    if (body !== "") bodies.push(JSON.parse(body));
    json(response, { id: "r1", items: ["one"], next_cursor: null });
  });
  const hub = createHttpHub({ url, readSse });
  const message = { id: "m", parts: [{ kind: "text" as const, text: "hello" }], references: ["r0"] };
  const answer = { question_id: "q", option: "allow", by: { kind: "human" as const, name: "Ada" } };

  await hub.say("r1", message);
  expect(await hub.messages("r1")).toEqual(["one"]);
  await hub.answer("r1", answer);
  await hub.questions({});
  await hub.questions({
    kind: "form",
    audience: "human",
    agent: "a b",
    conversation: "c/1",
    limit: 5,
    cursor: "x",
  });
  await hub.conversation("ticket 1/?");
  await hub.tally("r1");
  await hub.runs({ conversation: "c/1", parent: "p", root: "r" });

  expect(seen).toEqual([
    "POST /runs/r1/messages",
    "GET /runs/r1/messages",
    "POST /runs/r1/answers",
    "GET /questions",
    "GET /questions?kind=form&audience=human&agent=a+b&conversation=c%2F1&limit=5&cursor=x",
    "GET /conversations/ticket%201%2F%3F",
    "GET /runs/r1/tally",
    "GET /runs?conversation=c%2F1&parent=p&root=r",
  ]);
  expect(bodies).toEqual([message, answer]);
});

test("the hub over HTTP reads the bytes of an artifact, whole or in part", async () => {
  const { url } = await serve(({ headers }, response) => {
    response.writeHead(headers.range === undefined ? 200 : 206).end(headers.range ?? "all of it");
  });
  const hub = createHttpHub({ url, readSse });
  const read = async (range?: { start: number; end: number }) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await hub.readArtifact("r1", "a1", range)) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };

  expect(await read()).toBe("all of it");
  expect(await read({ start: 2, end: 5 })).toBe("bytes=2-5");
});

test("the hub over HTTP turns the hub's errors back into what they were", async () => {
  const body = {
    error: "Not Found",
    code: "RUN_NOT_FOUND",
    message: "there is no run x",
    details: { id: "x" },
  };
  const { url } = await serve((_, response) => json(response, body, 404));

  await expect(createHttpHub({ url, readSse }).run("x")).rejects.toMatchObject({
    code: "RUN_NOT_FOUND",
    message: "there is no run x",
    details: { id: "x" },
    exitCode: 2,
  });
});

test("the hub over HTTP says what to do about a missing token, and about a server that is no hub", async () => {
  const body = {
    error: "Unauthorized",
    code: "UNAUTHORIZED",
    message: "this hub needs a token\nsend it as …",
  };
  const closed = await serve((_, response) => json(response, body, 401));
  const proxy = await serve((_, response) => response.writeHead(502).end("<html>Bad gateway</html>\n<p>"));
  const page = await serve((_, response) => response.writeHead(200).end("<html>hello"));

  await expect(createHttpHub({ url: closed.url, readSse }).run("x")).rejects.toThrow(
    /token\nset PROCTOR_TOKEN/,
  );
  await expect(createHttpHub({ url: proxy.url, readSse }).run("x")).rejects.toThrow(
    /502 Bad Gateway: <html>Bad gateway<\/html>\n/,
  );
  await expect(createHttpHub({ url: page.url, readSse }).run("x")).rejects.toMatchObject({
    code: "HUB_UNREACHABLE",
  });
});

test("the hub over HTTP reports a hub that is not there at once, with the reason", async () => {
  const { url, server } = await serve(() => {});
  await stop(server);
  const hub = createHttpHub({ url, readSse });

  await expect(hub.run("x")).rejects.toMatchObject({
    code: "HUB_UNREACHABLE",
    message: expect.stringMatching(/ECONNREFUSED.*\n.*proctor up/),
  });
  await expect(collect(hub.follow("x", -1, NEVER))).rejects.toMatchObject({ code: "HUB_UNREACHABLE" });
});

test("the hub over HTTP sends its token nowhere else, even when it is redirected", async () => {
  const thief = await serve((_, response) => json(response, {}));
  const { url } = await serve((_, response) =>
    response.writeHead(307, { location: `${thief.url}/runs/x` }).end(),
  );

  await expect(createHttpHub({ url, token: "t0ken", readSse }).run("x")).rejects.toThrow();
  expect(thief.seen).toEqual([]);
});

test("following over HTTP survives cut connections, and misses and repeats nothing", async () => {
  const resumed: (string | undefined)[] = [];
  let connection = 0;
  const { url } = await serve(({ headers, url: path }, response) => {
    if (path?.endsWith("/events") !== true) return json(response, { id: "r1", status: "running" });
    resumed.push(headers["last-event-id"] as string | undefined);
    response.writeHead(200, { "content-type": "text/event-stream" });
    connection++;
    // In the middle of a frame; cleanly after a comment; with what was seen already; and to the end.
    if (connection === 1)
      response.write(frame(event(0)) + frame(event(1)) + frame(event(2)).slice(0, 30), () =>
        response.destroy(),
      );
    else if (connection === 2) response.end(`: still here\n\n${frame(event(2))}`);
    else response.end(frame(event(1)) + frame(event(2)) + frame(event(3)) + frame(event(4, "run.ended")));
  });

  expect(await collect(createHttpHub({ url, readSse }).follow("r1", -1, NEVER))).toEqual([0, 1, 2, 3, 4]);
  expect(resumed).toEqual([undefined, "1", "2"]);
});

test("following over HTTP survives a restart of the hub", async () => {
  const first = await serve((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(frame(event(0)));
  });
  const followed = createHttpHub({ url: first.url, readSse }).follow("r1", -1, NEVER)[Symbol.asyncIterator]();
  expect((await followed.next()).value).toMatchObject({ sequence: 0 });

  const next = followed.next();
  await stop(first.server);
  await serve(
    (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(frame(event(1, "run.ended")));
    },
    Number(new URL(first.url).port),
  );

  expect((await next).value).toMatchObject({ sequence: 1 });
  expect((await followed.next()).done).toBe(true);
});

test("following over HTTP reads from the log what the stream left out", async () => {
  const { url, seen } = await serve(({ url: path, headers }, response) => {
    if (headers.accept !== "text/event-stream") {
      if (path === "/runs/r1") return json(response, { id: "r1", status: "completed" });
      const after = Number(new URL(path ?? "", "http://x").searchParams.get("after"));
      const rest = [event(1), event(2), event(3), event(4, "run.ended")].filter(
        ({ sequence }) => sequence > after,
      );
      return json(response, { items: rest.slice(0, 2), next_cursor: null });
    }
    response.writeHead(200, { "content-type": "text/event-stream" }).end(frame(event(0)) + frame(event(3)));
  });

  expect(await collect(createHttpHub({ url, readSse }).follow("r1", -1, NEVER))).toEqual([0, 1, 2, 3, 4]);
  expect(seen.filter((line) => line === "GET /runs/r1/events")).toHaveLength(1);
});

test("following over HTTP ends at once when everything was seen before", async () => {
  const { url } = await serve(({ url: path }, response) => {
    if (path === "/runs/r1") return json(response, { id: "r1", status: "completed" });
    if (path === "/runs/r1/events") return void response.writeHead(204).end();
    return json(response, { items: [], next_cursor: null });
  });

  expect(await collect(createHttpHub({ url, readSse }).follow("r1", 7, NEVER))).toEqual([]);
});

test("following over HTTP gives up on a hub that stays away, and at once on one that refuses", async () => {
  const { url, server } = await serve((_, response) => {
    response
      .writeHead(200, { "content-type": "text/event-stream" })
      .write(frame(event(0)), () => void stop(server));
  });
  const refusing = await serve((_, response) =>
    json(response, { code: "RUN_NOT_FOUND", message: "no" }, 404),
  );

  await expect(
    collect(createHttpHub({ url, readSse, giveUpAfterMs: 150 }).follow("r1", -1, NEVER)),
  ).rejects.toMatchObject({
    code: "HUB_UNREACHABLE",
  });
  await expect(
    collect(createHttpHub({ url: refusing.url, readSse }).follow("r1", -1, NEVER)),
  ).rejects.toMatchObject({
    code: "RUN_NOT_FOUND",
  });
});

test("following over HTTP stops when asked, and closes the connection", async () => {
  const { url, server } = await serve((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(frame(event(0)));
    response.on("close", () => server.emit("left"));
  });
  const stopping = new AbortController();
  const left = once(server, "left");
  const sequences: number[] = [];
  for await (const { sequence } of createHttpHub({ url, readSse }).follow("r1", -1, stopping.signal)) {
    sequences.push(sequence);
    stopping.abort();
  }
  await left;

  expect(sequences).toEqual([0]);
});

test("the hub over HTTP keeps the bytes of an artifact, however late they are read", async () => {
  const collect = findCollector();
  const { url } = await serve((_, response) => void response.writeHead(200).end("late"));
  const bytes = await createHttpHub({ url, readSse }).readArtifact("r1", "a1");
  for (let round = 0; round < 10; round += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  let text = "";
  for await (const chunk of bytes) text += Buffer.from(chunk).toString();
  expect(text).toBe("late");
});
