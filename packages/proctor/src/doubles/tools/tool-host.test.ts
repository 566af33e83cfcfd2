// The tool endpoint from the outside: real sockets, honest agents and hostile ones.
import { connect } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ObservedCall, ToolDefinition } from "../../core/tools.ts";
import {
  post,
  read,
  rule,
  RUN,
  startTools,
  until,
  type ToolsHarness,
} from "../../../test/support/doubles/tools-harness.ts";
import { createManualClock } from "../../../test/support/manual-clock.ts";
import { soonTooSlow } from "../../../test/support/soon-too-slow.ts";

let tools: ToolsHarness;
beforeAll(async () => {
  tools = await startTools();
});
afterAll(() => tools.close());

const SEARCH: ToolDefinition = {
  name: "web_search",
  description: "Searches the web.",
  responses: [rule({ type: "contains", field: "query", pattern: "Slack" }, { output: { hits: 3 } })],
  default: { error: "rate limited", error_code: "RATE_LIMIT" },
};
const WRITE: ToolDefinition = { name: "file_write", default: { output: "ok" } };
/** Answers when the session is closed, at the latest. */
const SLOW: ToolDefinition = { name: "slow", default: { output: 1, delay_ms: 600_000 } };

/** Bytes on a socket, until it closes. */
async function raw(url: string, text: string, end = false): Promise<string> {
  const { port } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1");
  let received = "";
  socket.on("data", (chunk) => (received += chunk.toString()));
  socket.on("error", () => {});
  socket.write(text);
  if (end) socket.end();
  await once(socket, "close");
  return received;
}

const head = (url: string, length: number): string =>
  `POST ${new URL(url).pathname} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n`;

describe("an agent with tools", () => {
  test("has an address of its own that cannot be guessed", async () => {
    const one = await tools.open([WRITE]);
    const other = await tools.open([WRITE]);
    expect(one.url).toMatch(new RegExp(`^${tools.url}/tools/${RUN}-[A-Za-z0-9_-]{32}$`));
    expect(other.url).not.toBe(one.url);
    await one.close();
    expect((await other.call("file_write")).status).toBe(200);
    expect((await one.call("file_write")).status).toBe(404);
    await other.close();
  });

  test("calls a tool as document 000 says", async () => {
    const session = await tools.open([SEARCH, WRITE]);
    const good = await session.call("web_search", { query: "Slack competitors" });
    expect(good).toMatchObject({ status: 200, body: { status: "success", output: { hits: 3 } } });
    expect(good.body["duration_ms"]).toEqual(expect.any(Number));
    expect(await session.call("web_search", { query: "Teams" })).toMatchObject({
      status: 200,
      body: { status: "error", error: "rate limited", error_code: "RATE_LIMIT" },
    });
    expect(session.calls).toEqual([
      {
        tool: "web_search",
        input: { query: "Slack competitors" },
        status: "success",
        output: { hits: 3 },
        duration_ms: expect.any(Number),
        mode: "mock",
      },
      {
        tool: "web_search",
        input: { query: "Teams" },
        status: "error",
        error: "rate limited",
        error_code: "RATE_LIMIT",
        duration_ms: expect.any(Number),
        mode: "mock",
      },
    ]);
    await session.close();
  });

  test.each(["call", "tools/call"])("calls a tool named in the body at %s", async (path) => {
    const session = await tools.open([WRITE]);
    const body = { tool: "file_write", task_id: RUN, input: { a: 1 }, call_id: "c-1" };
    expect(await post(`${session.url}/${path}`, body)).toMatchObject({ status: 200, body: { output: "ok" } });
    expect(session.calls).toMatchObject([{ tool: "file_write", input: { a: 1 }, call_id: "c-1" }]);
    expect(await post(`${session.url}/${path}`, { input: {} })).toMatchObject({
      status: 400,
      body: { error_code: "INVALID_REQUEST", error: expect.stringContaining('"tool" is missing') },
    });
    await session.close();
  });

  test("may have a tool called call", async () => {
    const session = await tools.open([{ name: "call", default: { output: "mine" } }, WRITE]);
    expect((await session.call("call")).body).toMatchObject({ output: "mine" });
    expect((await session.call("call", {}, { tool: "file_write" })).body).toMatchObject({ output: "ok" });
    await session.close();
  });

  test("lists its tools", async () => {
    const session = await tools.open([SEARCH, WRITE], { allowed: ["web_search"] });
    for (const path of ["", "/", "/tools"]) {
      expect(await read(await fetch(session.url + path))).toMatchObject({
        status: 200,
        body: { tools: [{ name: "web_search", description: "Searches the web." }] },
      });
    }
    expect(session.names).toEqual(["web_search"]);
    expect(session.calls).toEqual([]);
    await session.close();
  });

  test("is told what there is when it calls what is not there or not allowed", async () => {
    const session = await tools.open([SEARCH, WRITE], { allowed: ["web_search", "unknown"] });
    for (const tool of ["file_write", "nothing", "unknown", "a/b"]) {
      expect(await session.call(tool)).toMatchObject({
        status: 404,
        body: {
          status: "error",
          error: `Tool '${tool}' not available`,
          error_code: "TOOL_NOT_FOUND",
          error_details: { tool, available_tools: ["web_search"] },
        },
      });
    }
    expect(session.calls).toHaveLength(4);
    expect(session.calls[0]).toMatchObject({
      tool: "file_write",
      mode: "none",
      error_code: "TOOL_NOT_FOUND",
    });
    await session.close();
  });

  test("may be sloppy about its task id, and that is seen", async () => {
    const session = await tools.open([WRITE]);
    expect((await session.call("file_write", {}, { task_id: "another" })).status).toBe(200);
    await session.call("file_write");
    expect((await post(`${session.url}/file_write`, {})).status).toBe(200);
    expect(session.calls.map((call) => call["task_id_mismatch"])).toEqual([true, undefined, undefined]);
    expect(session.calls[2]).toMatchObject({ input: {} });
    await session.close();
  });

  test("names a tool with characters that a URL must encode", async () => {
    const session = await tools.open([{ name: "Поиск:1", default: { output: 1 } }]);
    expect((await session.call(encodeURIComponent("Поиск:1"))).body).toMatchObject({ status: "success" });
    await session.close();
  });
});

describe("an answer of the tool endpoint", () => {
  test("waits until the call was reported", async () => {
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const seen: ObservedCall[] = [];
    const session = await tools.open([WRITE], {
      onCall: async (call) => {
        seen.push(call);
        await gate;
      },
    });
    let answered = false;
    const answer = session.call("file_write").finally(() => (answered = true));
    await until(() => seen.length === 1);
    expect(answered).toBe(false);
    release();
    expect((await answer).status).toBe(200);
    await session.close();
  });

  test("is 503 when the call could not be reported", async () => {
    const session = await tools.open([WRITE], { onCall: () => Promise.reject(new Error("disk full")) });
    const { status, body } = await session.call("file_write");
    expect({ status, body }).toMatchObject({
      status: 503,
      body: { status: "error", error_code: "INTERNAL_ERROR" },
    });
    expect(JSON.stringify(body)).not.toContain("disk full");
    await session.close();
  });

  test.each([500, 429, 204])("may have the status %i, to play a broken tool", async (status) => {
    const session = await tools.open([{ name: "x", default: { output: 1, http_status: status } }]);
    const reply = await session.call("x");
    expect(reply.status).toBe(status);
    expect(reply.body).not.toHaveProperty("http_status");
    expect(session.calls).toMatchObject([{ status: "success", output: 1, http_status: status }]);
    await session.close();
  });

  test("of a sequence goes to one of many calls at once, the last to all that follow", async () => {
    const answers = [1, 2, 3].map((output) => ({ output }));
    const set: ToolDefinition[] = [{ name: "s", responses: [rule(undefined, answers)] }];
    const session = await tools.open(set);
    const replies = await Promise.all(Array.from({ length: 20 }, () => session.call("s")));
    const outputs = replies.map(({ body }) => Number(body["output"])).sort((a, b) => a - b);
    expect(outputs).toEqual([1, 2, ...Array.from({ length: 18 }, () => 3)]);
    const another = await tools.open(set);
    expect((await another.call("s")).body).toMatchObject({ output: 1 });
    await Promise.all([session.close(), another.close()]);
  });

  test("takes its delay, or the delay of the set", async () => {
    const clock = createManualClock();
    const delayed = await startTools({ clock });
    const session = await delayed.open({
      default_delay_ms: 40,
      tools: [
        { name: "set", default: {} },
        { name: "own", default: { delay_ms: 0 } },
      ],
    });
    const answer = session.call("set");
    await until(() => clock.waiting === 1);
    clock.advance(40);
    expect((await answer).body).toMatchObject({ status: "success", output: null, duration_ms: 40 });
    expect((await session.call("own")).body).toMatchObject({ duration_ms: 0 });
    await delayed.close();
  });

  test("is an error when no response matches and there is no default", async () => {
    const session = await tools.open([
      { name: "x", responses: [rule({ type: "exact", field: "a", pattern: 1 }, { output: 1 })] },
    ]);
    expect((await session.call("x", { a: 2 })).body).toMatchObject({
      status: "error",
      error_code: "TOOL_ERROR",
      error: "the input of x does not match the one response of this mock, and it has no default",
    });
    await session.close();
  });

  test("is an error when a pattern takes too long", async () => {
    const when = { type: "regex", field: "q", pattern: "^(a+)+$" } as const;
    const session = await tools.open([{ name: "x", responses: [rule(when, {})] }]);
    const hard = { q: `${"a".repeat(50)}!` };
    expect((await soonTooSlow(() => session.call("x", hard))).body).toMatchObject({
      error_code: "TOOL_ERROR",
      error: expect.stringContaining("is too slow"),
    });
    await session.close();
  });
});

describe("the end of a tool session", () => {
  test("cuts what is in flight, reports it, and leaves nothing to be found", async () => {
    const session = await tools.open([SLOW]);
    const arrived = tools.arrivals(2);
    const answers = [session.call("slow"), session.call("slow")];
    await arrived;
    await session.close();
    for (const { status, body } of await Promise.all(answers)) {
      expect({ status, body }).toMatchObject({ status: 503, body: { error: "cut off: the run has ended" } });
    }
    expect(session.calls).toMatchObject([{ tool: "slow" }, { tool: "slow", status: "error" }]);
    expect((await session.call("slow")).status).toBe(404);
    await session.close();
  });

  test("comes when the host is closed, which then opens no other session", async () => {
    const own = await startTools();
    const session = await own.open([SLOW]);
    const arrived = own.arrivals(1);
    const answer = session.call("slow");
    await arrived;
    await own.host.close();
    expect((await answer).status).toBe(503);
    await expect(own.open([WRITE])).rejects.toMatchObject({ code: "SHUTTING_DOWN" });
    await own.close();
  });
});

test("a caller of a tool that leaves ends its call, which is reported", async () => {
  const session = await tools.open([SLOW]);
  const leave = new AbortController();
  const arrived = tools.arrivals(1);
  const answer = post(`${session.url}/slow`, { input: 1 }, { signal: leave.signal });
  await arrived;
  leave.abort();
  await expect(answer).rejects.toThrow();
  await until(() => session.calls.length === 1);
  expect(session.calls[0]).toMatchObject({
    tool: "slow",
    status: "error",
    error: expect.stringContaining("left"),
  });
  await session.close();
});

describe("a hostile caller of tools", () => {
  test("learns nothing by guessing paths", async () => {
    const session = await tools.open([WRITE]);
    const token = session.url.slice(-32);
    const wrong = token.endsWith("A") ? `${token.slice(0, -1)}B` : `${token.slice(0, -1)}A`;
    const guesses = [
      `/tools/${RUN}-${wrong}/file_write`,
      `/tools/${RUN}-${token.toLowerCase()}/file_write`,
      `/tools/${RUN}-/file_write`,
      `/tools/${RUN}/file_write`,
      `/tools/${token}/file_write`,
      `/tools/-${token}/file_write`,
      `/tools/unknown-${token}/file_write`,
      "/tools/",
      "/tools",
      "/tools/x/../../etc/passwd",
      `/tools/${RUN}-${token}/%E0%A4%A`,
    ];
    for (const path of guesses) {
      const reply = await post(`${tools.url}${path}`, { input: {} });
      expect({ path, status: reply.status, body: reply.body }).toEqual({
        path,
        status: 404,
        body: { status: "error", error: "not found", error_code: "NOT_FOUND" },
      });
    }
    expect(session.calls).toEqual([]);
    await session.close();
  });

  test.each<[string, number, Uint8Array]>([
    ["no JSON", 400, Buffer.from("{nope")],
    ["nothing", 400, Buffer.from("")],
    ["a list", 400, Buffer.from("[]")],
    ["null", 400, Buffer.from("null")],
    ["a task id that is no text", 400, Buffer.from('{"task_id":1,"input":{}}')],
    ["a call id that is no text", 400, Buffer.from('{"call_id":{},"input":{}}')],
    ["bytes that are no UTF-8", 400, Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
    ["nesting without end", 400, Buffer.from("[".repeat(100_000))],
    ["too much", 413, Buffer.alloc(10 * 1024 * 1024 + 1, 0x20)],
  ])("that sends %s is told so with %i", async (_what, status, body) => {
    const session = await tools.open([WRITE]);
    expect(await post(`${session.url}/file_write`, body)).toMatchObject({
      status,
      body: { status: "error", error_code: "INVALID_REQUEST" },
    });
    expect(session.calls).toMatchObject([
      { tool: "file_write", input: null, status: "error", error_code: "INVALID_REQUEST", mode: "none" },
    ]);
    expect((await session.call("file_write")).status).toBe(200);
    await session.close();
  });

  test("that sends too much without saying how much is cut off at the limit", async () => {
    const session = await tools.open([WRITE]);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1024 * 1024;
        controller.enqueue(new Uint8Array(1024 * 1024));
        if (sent > 200 * 1024 * 1024) controller.close();
      },
    });
    const init: RequestInit & { duplex: "half" } = { method: "POST", body, duplex: "half" };
    const status = await fetch(`${session.url}/file_write`, init).then(
      (response) => response.status,
      // The connection may be gone before the answer was read.
      () => 413,
    );
    expect(status).toBe(413);
    expect(sent).toBeLessThan(100 * 1024 * 1024);
    expect(session.calls).toMatchObject([{ http_status: 413 }]);
    await session.close();
  });

  test("that breaks off in the middle of a body holds nothing", async () => {
    const session = await tools.open([WRITE]);
    await raw(session.url, `${head(`${session.url}/file_write`, 100)}\r\n{"input": {`, true);
    await until(() => session.calls.length === 1);
    expect(session.calls[0]).toMatchObject({ tool: "file_write", input: null, status: "error" });
    await session.close();
  });

  test("that never sends the rest of its body is cut at the end", async () => {
    const session = await tools.open([WRITE]);
    const arrived = tools.arrivals(1);
    const answer = raw(
      session.url,
      `${head(`${session.url}/file_write`, 100)}connection: close\r\n\r\n{"inp`,
    );
    await arrived;
    await session.close();
    expect(await answer).toContain("503");
    expect(session.calls).toHaveLength(1);
  });

  test.each(["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"])("gets 405 for %s", async (method) => {
    const session = await tools.open([WRITE]);
    const response = await fetch(`${session.url}/file_write`, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST");
    await response.arrayBuffer();
    expect((await fetch(session.url, { method: "POST", body: "{}" })).status).toBe(405);
    expect(session.calls).toEqual([]);
    await session.close();
  });

  test("does not get far with many large calls at once", async () => {
    const session = await tools.open([{ name: "slow", default: { delay_ms: 600_000 } }]);
    const large = { input: "x".repeat(9 * 1024 * 1024) };
    const statuses: number[] = [];
    const answers = Array.from({ length: 9 }, () =>
      post(`${session.url}/slow`, large).then(
        ({ status }) => statuses.push(status),
        () => statuses.push(0),
      ),
    );
    await until(() => statuses.includes(429));
    await session.close();
    await Promise.all(answers);
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(5);
  });
});
