// The Python package over HTTP: docs/reference/atp.md, "HTTP".
import { beforeAll, describe, expect, it } from "vitest";
import {
  type Message,
  NO_PYTHON,
  request,
  requestWith,
  type Server,
  startServer,
  TASK_ID,
} from "./python-agent.ts";
import { ANSWERED_TYPES, ATP, REFUSED_TYPES } from "../../atp-cases/media-types.ts";
import { parseFrames } from "../../atp-cases/read-frames.ts";
import { expectEvents, expectResponse } from "../../atp-cases/schemas.ts";

describe.skipIf(NO_PYTHON)("a Python agent over HTTP", () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer({ quiet_seconds: 0.2 });
  });

  function post(
    path: string,
    body: Message | string,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { "content-type": ATP, ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  }

  it("answers /execute with the response", async () => {
    const answer = await post("/execute", request("hello"));
    const response = await answer.json();
    expectResponse(response);
    expect(answer.status).toBe(200);
    expect(response).toMatchObject({ task_id: TASK_ID, status: "completed" });
  });

  it("streams events with their sequence as id, then the response", async () => {
    const answer = await post("/execute/stream", request("everything"), { accept: "text/event-stream" });
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    const frames = parseFrames(await answer.text());
    const events = frames.filter((frame) => frame.event === "event");
    expectEvents(events.map((frame) => frame.data));
    expect(events.map((frame) => frame.id)).toEqual(["0", "1", "2", "3", "4", "5", "6"]);
    expect(frames.at(-1)?.event).toBe("response");
    expect(frames).toHaveLength(8);
    expectResponse(frames.at(-1)?.data);
  });

  it.each(ANSWERED_TYPES)("answers Content-Type %s with Accept %s as %s", async (sent, accept, expected) => {
    const answer = await post("/execute", request("hello"), {
      "content-type": sent,
      ...(accept !== undefined && { accept }),
    });
    expect(answer.headers.get("content-type")).toBe(expected);
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
  });

  it.each(REFUSED_TYPES)("refuses Content-Type %s with Accept %s with %i", async (type, accept, status) => {
    await expectRefusal(status, { "content-type": type, accept });
  });

  it.each([
    ["a page from elsewhere", 403, { origin: "https://evil.example" }],
    ["a stream to continue", 409, { "last-event-id": "3" }],
  ])("refuses %s with %i", async (_, status, headers) => {
    await expectRefusal(status, headers);
  });

  async function expectRefusal(status: number, headers: Record<string, string>): Promise<void> {
    for (const path of ["/execute", "/execute/stream"]) {
      const answer = await post(path, request("hello"), headers);
      const response = await answer.json();
      expect(answer.status).toBe(status);
      expectResponse(response);
      expect(response).toMatchObject({ status: "failed", error_code: "INVALID_REQUEST" });
    }
  }

  it.each([
    ["{", ""],
    [JSON.stringify({ ...request("x"), version: "2.0" }), "version"],
    [JSON.stringify({ ...request("x"), task: {} }), "task.description"],
    [JSON.stringify({ ...request("x"), constraints: [] }), "constraints"],
  ])("answers the malformed %s with 400 and the field %j", async (body, field) => {
    for (const path of ["/execute", "/execute/stream"]) {
      const answer = await post(path, body);
      expect(answer.status).toBe(400);
      const response = await answer.json();
      expectResponse(response);
      expect(response).toMatchObject({ error_code: "INVALID_REQUEST", error_details: { field } });
    }
  });

  it("refuses other paths and other methods", async () => {
    expect((await post("/elsewhere", request("x"))).status).toBe(404);
    const wrong = await fetch(`${server.url}/execute`);
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get("allow")).toBe("POST");
    expectResponse(await wrong.json());
    expect((await fetch(`${server.url}/execute`, { method: "OPTIONS" })).status).toBe(405);
    expect((await fetch(`${server.url}/execute`, { method: "PROPFIND" })).status).toBe(501);
  });

  it("takes a chunked request", async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(request("hello")));
    const body = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    const init = { method: "POST", headers: { "content-type": ATP }, body, duplex: "half" } as RequestInit;
    expect(await (await fetch(`${server.url}/execute`, init)).json()).toMatchObject({ status: "completed" });
  });

  it("answers 413 to more than 10 MB, announced or not", async () => {
    const large = "x".repeat(10 * 1024 * 1024 + 1);
    const announced = await post("/execute", large);
    expect(announced.status).toBe(413);
    expectResponse(await announced.json());
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(large));
        controller.close();
      },
    });
    const init = { method: "POST", headers: { "content-type": ATP }, body, duplex: "half" } as RequestInit;
    expect((await fetch(`${server.url}/execute`, init)).status).toBe(413);
  });

  it("takes a request of almost 10 MB and answers with as much", async () => {
    const padding = "x".repeat(10 * 1024 * 1024 - 1000);
    const answer = await post("/execute", request("hello", { metadata: { padding } }));
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
    const large = (await (await post("/execute", request("large 12000000"))).json()) as Message;
    expect(JSON.stringify(large).length).toBeGreaterThan(12_000_000);
  });

  it("sends comments while nothing happens", async () => {
    const abort = new AbortController();
    const answer = await fetch(`${server.url}/execute/stream`, {
      method: "POST",
      headers: { "content-type": ATP },
      body: JSON.stringify(request("wait")),
      signal: abort.signal,
    });
    let text = "";
    for await (const chunk of answer.body ?? []) {
      text += new TextDecoder().decode(chunk as Uint8Array);
      if (/(?:\n: [^\n]*\n\n[^]*){2}/.test(text)) break;
    }
    abort.abort();
    expect(text).toMatch(/event: event\nid: 0\n/);
  });

  it("runs tasks with the same id side by side", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        post("/execute", requestWith("asynchronous", { seconds: 0.05, index })),
      ),
    );
    for (const answer of answers) expect(await answer.json()).toMatchObject({ status: "completed" });
  });

  it("never shows a secret, not even in its own log", async () => {
    const answer = await post(
      "/execute",
      request("leak", { context: { environment: { KEY: "hunter2-hunter2" } } }),
    );
    expect(await answer.text()).toContain("denied for [redacted:KEY]");
    await server.printed("stdout", /cut \[redacted:KEY\]/);
    await server.printed("stderr", /ValueError: denied for \[redacted:KEY\]/);
    expect(`${server.stdout()}${server.stderr()}`).not.toContain("unter2");
  });
});
