import { once } from "node:events";
import { get, request as httpRequest } from "node:http";
import { describe, expect, test } from "vitest";
import { body, openRaw, openServer } from "./open-server.ts";
import { type Message, request, TASK_ID } from "./run-agent.ts";
import { ANSWERED_TYPES, ATP, REFUSED_TYPES } from "../../atp-cases/media-types.ts";
import { parseFrames } from "../../atp-cases/read-frames.ts";
import { expectEvents, expectResponse } from "../../atp-cases/schemas.ts";

const JSON_TYPE = { "content-type": "application/json" };

async function post(
  url: string,
  content: string | object,
  headers: Record<string, string> = JSON_TYPE,
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    body: typeof content === "string" ? content : JSON.stringify(content),
    headers,
  });
}

describe("POST /execute of a TypeScript agent", () => {
  test("answers with the response, of the type that was asked for", async () => {
    const { url } = await openServer();
    const answer = await post(`${url}/execute`, body("echo", TASK_ID, { a: 1 }), {
      "content-type": ATP,
      accept: ATP,
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe(ATP);
    const response = (await answer.json()) as Message;
    expectResponse(response);
    expect(response).toMatchObject({
      task_id: TASK_ID,
      status: "completed",
      artifacts: [{ data: { a: 1 } }],
    });
  });

  test("a task that failed is an answer like any other", async () => {
    const { url } = await openServer();
    const answer = await post(`${url}/execute`, request("throw"));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      status: "failed",
      error: "it broke",
      error_code: "INTERNAL_ERROR",
    });
  });

  test.for(REFUSED_TYPES)(
    "refuses Content-Type %s with Accept %s with %i",
    async ([type, accept, status]) => {
      const { url } = await openServer();
      for (const path of ["/execute", "/execute/stream"]) {
        const answer = await post(`${url}${path}`, request("echo"), { "content-type": type, accept });
        expect(answer.status).toBe(status);
        const response = (await answer.json()) as Message;
        expectResponse(response);
        expect(response.error_code).toBe("INVALID_REQUEST");
      }
    },
  );

  test.for(ANSWERED_TYPES)(
    "answers Content-Type %s with Accept %s as %s",
    async ([type, accept, expected]) => {
      const { url } = await openServer();
      const headers = { "content-type": type, ...(accept !== undefined && { accept }) };
      const answer = await post(`${url}/execute`, request("echo"), headers);
      expect(answer.headers.get("content-type")).toBe(expected);
    },
  );

  test.for([
    ["{", ""],
    ["", ""],
    ['"text"', ""],
    [JSON.stringify({ version: "1.0", task_id: TASK_ID, task: { description: "" } }), "task.description"],
    [JSON.stringify({ ...request("echo"), version: "3.0" }), "version"],
    [JSON.stringify({ ...request("echo"), context: { environment: { A: 1 } } }), "context.environment"],
  ] as const)("%s is 400 and names the field", async ([text, field]) => {
    const { url } = await openServer();
    for (const path of ["/execute", "/execute/stream"]) {
      const answer = await post(`${url}${path}`, text);
      expect(answer.status).toBe(400);
      const response = (await answer.json()) as Message;
      expectResponse(response);
      expect(response).toMatchObject({
        status: "failed",
        error_code: "INVALID_REQUEST",
        error_details: { field },
      });
    }
  });

  test("bytes that are not UTF-8 are 400", async () => {
    const { url } = await openServer();
    const bytes = Buffer.from(JSON.stringify(request("caf\u00e9")), "latin1");
    const answer = await fetch(`${url}/execute`, { method: "POST", body: bytes, headers: JSON_TYPE });
    expect(answer.status).toBe(400);
  });

  test("other paths are 404, other methods 405, pages of other sites 403, an unknown stream 409", async () => {
    const { url } = await openServer();
    expect((await post(`${url}/`, request("echo"))).status).toBe(404);
    const got = await fetch(`${url}/execute`);
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await post(`${url}/execute/stream`, request("echo"), { ...JSON_TYPE, ...headers })).status;
    expect(await status({ origin: "https://example.com" })).toBe(403);
    expect(await status({ origin: "http://localhost:5173" })).toBe(200);
    expect(await status({ "last-event-id": "3" })).toBe(409);
  });

  test("more than 10 MB is 413, whether the length is announced or not, and the server keeps serving", async () => {
    const { url, port } = await openServer();
    const huge = "x".repeat(11 * 1024 * 1024);
    expect((await post(`${url}/execute`, huge)).status).toBe(413);
    const chunked = httpRequest({ port, path: "/execute", method: "POST", headers: JSON_TYPE });
    chunked.on("error", () => undefined);
    for (let sent = 0; sent < 11; sent++) chunked.write("x".repeat(1024 * 1024));
    const [answer] = (await once(chunked, "response")) as [NodeJS.ReadableStream & { statusCode: number }];
    expect(answer.statusCode).toBe(413);
    chunked.destroy();
    expect((await post(`${url}/execute`, request("echo"))).status).toBe(200);
  });

  test("a client that goes away cancels its task", async () => {
    const { url, started, aborted, tasks } = await openServer();
    const controller = new AbortController();
    const answer = fetch(`${url}/execute`, {
      method: "POST",
      body: body("wait", "gone"),
      headers: JSON_TYPE,
      signal: controller.signal,
    });
    await started("gone");
    controller.abort();
    await expect(answer).rejects.toThrow();
    await aborted("gone");
    expect(String(tasks[0]?.signal.reason)).toContain("the client went away");
  });

  test("a client that sends too slowly is dropped", async () => {
    const { port } = await openServer({ requestMs: 100 });
    const slow = openRaw(
      port,
      "POST /execute HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{",
    );
    const silent = openRaw(port, "POST /exe");
    expect((await slow.received).toString()).toMatch(/^HTTP\/1.1 408/);
    await silent.received;
  });

  test("a request that was cut off starts nothing", async () => {
    const { url, port, tasks } = await openServer();
    const { socket } = openRaw(
      port,
      "POST /execute HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{",
    );
    await once(socket, "connect");
    socket.end();
    expect((await post(`${url}/execute`, body("echo", "next"))).status).toBe(200);
    expect(tasks.map(({ id }) => id)).toEqual(["next"]);
  });

  test("an offer to speak HTTP/2 is ignored, and the connection stays usable", async () => {
    const { port } = await openServer();
    const content = body("echo", "offered", { text: "x".repeat(200_000) });
    const offer = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n";
    const head = `Host: a\r\nContent-Type: application/json\r\nContent-Length: ${content.length}\r\n`;
    const { received } = openRaw(
      port,
      `POST /execute HTTP/1.1\r\n${offer}${head}\r\n${content}` +
        `POST /execute HTTP/1.1\r\nConnection: close\r\n${head}\r\n${content}`,
    );
    expect((await received).toString().match(/HTTP\/1.1 200 OK/g)).toHaveLength(2);
  });

  test("many tasks run at once, even with the same id", async () => {
    const { url } = await openServer();
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const answer = await post(`${url}/execute`, body("many", "same", { count: 5, index }));
        return (await answer.json()) as Message;
      }),
    );
    expect(answers.map(({ artifacts }) => artifacts?.[0])).toMatchObject(
      answers.map((_, index) => ({ data: { index } })),
    );
  });
});

describe("POST /execute/stream of a TypeScript agent", () => {
  test("sends each event as a frame with its sequence, and the response last", async () => {
    const { url } = await openServer();
    const answer = await post(
      `${url}/execute/stream`,
      body("many", TASK_ID, { count: 50, text: "a\nb\u2028" }),
    );
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    const frames = parseFrames(await answer.text());
    expect(frames.map(({ event }) => event)).toEqual([...Array<string>(50).fill("event"), "response"]);
    const events = frames.slice(0, -1);
    expectEvents(events.map(({ data }) => data));
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => String(index)));
    expectResponse(frames.at(-1)?.data);
    expect(frames.at(-1)?.data).toMatchObject({ metrics: { total_steps: 50 } });
  });

  test("sends comments while nothing happens, and a client that goes away cancels the task", async () => {
    const { url, aborted } = await openServer({ heartbeatMs: 20 });
    const answer = await post(`${url}/execute/stream`, body("wait", "quiet"));
    let text = "";
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      if ((text.match(/^: /gm) ?? []).length >= 2) break;
    }
    expect(parseFrames(text)).toMatchObject([{ event: "event", id: "0" }]);
    await aborted("quiet");
  });

  test.for([
    ["for too long", { stallMs: 50 }],
    ["while too much waits for it", { maxBufferedBytes: 1024 * 1024 }],
  ] as const)("a client that reads nothing %s is dropped, and its task cancelled", async ([, limits]) => {
    const { port, aborted } = await openServer(limits);
    const content = body("flood", "stalled");
    const head = `Host: a\r\nContent-Type: application/json\r\nContent-Length: ${content.length}`;
    const { socket } = openRaw(port, `POST /execute/stream HTTP/1.1\r\n${head}\r\n\r\n${content}`);
    socket.pause();
    await aborted("stalled");
  });
});

test("a client that reads late, but reads, keeps its stream", async () => {
  const { url, tasks } = await openServer({ heartbeatMs: 100, stallMs: 400 });
  const answer = await post(`${url}/execute/stream`, body("flood", "late"));
  let comments = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    if (Buffer.from(chunk).toString().startsWith(": ")) comments++;
    if (comments === 5) break;
  }
  expect([comments, tasks[0]?.signal.aborted]).toEqual([5, false]);
});

describe("stopping a TypeScript agent", () => {
  test("cancels what runs, answers it, and refuses what comes later", async () => {
    const { url, port, started, close } = await openServer();
    const plain = post(`${url}/execute`, body("wait", "plain"));
    const stream = await post(`${url}/execute/stream`, body("wait", "stream"));
    await started("plain");
    await close();
    expect(await (await plain).json()).toMatchObject({
      task_id: "plain",
      status: "cancelled",
      error: "the agent is stopping",
    });
    expect(parseFrames(await stream.text()).at(-1)?.data).toMatchObject({
      task_id: "stream",
      status: "cancelled",
    });
    const [error] = (await once(get({ port }), "error")) as [NodeJS.ErrnoException];
    expect(error.code).toBe("ECONNREFUSED");
  });
});
