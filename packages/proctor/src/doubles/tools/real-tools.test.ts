// Calls that go to real tools: passed on, recorded, replayed.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../../core/json.ts";
import { createRedactor } from "../../core/redact.ts";
import { rootSpanId } from "../../runtime/span-ids.ts";
import {
  post,
  RUN,
  startTools,
  TRACE_ID,
  until,
  type ToolsHarness,
} from "../../../test/support/doubles/tools-harness.ts";

type Handler = (body: string, request: IncomingMessage, response: ServerResponse) => void;

let tools: ToolsHarness;
let folder: string;
let real: Server;
let realUrl: string;
let handler: Handler;
let requests = 0;

beforeAll(async () => {
  tools = await startTools();
  folder = await mkdtemp(join(tmpdir(), "proctor-tools-"));
  real = createServer((request, response) => {
    requests++;
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => handler(body, request, response));
  });
  real.listen(0, "127.0.0.1");
  await once(real, "listening");
  // A server on a port has an address with a port.
  realUrl = `http://127.0.0.1:${(real.address() as AddressInfo).port}/search`;
});
afterAll(async () => {
  await tools.close();
  real.closeAllConnections();
  real.close();
  await rm(folder, { recursive: true });
});

const answerWith =
  (value: Json, status = 200): Handler =>
  (_body, _request, response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));

const file = (name: string): string => join(folder, name);
const linesOf = async (name: string): Promise<Json[]> =>
  (await readFile(file(name), "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Json);

describe("a forwarded call", () => {
  test("reaches the real tool with the same body and the headers of the definition", async () => {
    let seen: unknown;
    handler = (body, request, response) => {
      seen = {
        method: request.method,
        key: request.headers["x-key"],
        type: request.headers["content-type"],
        body,
      };
      answerWith({ status: "success", output: { hits: 2 }, duration_ms: 99_999, trace: "t" })(
        body,
        request,
        response,
      );
    };
    const session = await tools.open([
      { name: "search", forward: { url: realUrl, headers: { "X-Key": "k" } } },
    ]);
    const { body } = await session.call("search", { q: 1 });
    expect(seen).toEqual({
      method: "POST",
      key: "k",
      type: "application/json",
      body: JSON.stringify({ task_id: RUN, input: { q: 1 } }),
    });
    expect(body).toMatchObject({ status: "success", output: { hits: 2 }, trace: "t" });
    expect(body["duration_ms"]).toBeLessThan(99_999);
    expect(session.calls).toMatchObject([{ tool: "search", mode: "forward", status: "success" }]);
    await session.close();
  });

  test("names the run's trace, below the span that the agent names or else below the run", async () => {
    const seen: unknown[] = [];
    handler = (body, request, response) => {
      seen.push(request.headers["traceparent"]);
      answerWith({ hits: 2 })(body, request, response);
    };
    const session = await tools.open([{ name: "search", forward: { url: realUrl } }]);
    const call = (traceparent: string) =>
      post(
        `${session.url}/search`,
        { input: {} },
        { headers: { "content-type": "application/json", traceparent } },
      );
    const own = `00-${TRACE_ID}-b7ad6b7169203331-01`;
    await session.call("search", {});
    await call(own);
    await call(`00-${"c".repeat(32)}-${"d".repeat(16)}-01`);
    await session.close();
    const below = `00-${TRACE_ID}-${rootSpanId(RUN)}-01`;
    expect(seen).toEqual([below, own, below]);
  });

  test.each<[string, Handler, object]>([
    [
      "any other JSON",
      answerWith([1, { status: "ok" }]),
      { status: "success", output: [1, { status: "ok" }] },
    ],
    ["an object with a status of its own", answerWith({ status: "ok" }), { output: { status: "ok" } }],
    [
      "an error in the document's shape, whatever the HTTP status",
      answerWith({ status: "error", error: "quota", error_code: "RATE" }, 429),
      { status: "error", error: "quota", error_code: "RATE" },
    ],
    [
      "an error without a code",
      answerWith({ status: "error", error: "x" }),
      { status: "error", error_code: "TOOL_ERROR" },
    ],
    [
      "an HTTP error",
      answerWith({ detail: "no" }, 500),
      {
        error_code: "TOOL_ERROR",
        error: "search answered with HTTP 500",
        error_details: { http_status: 500, body: '{"detail":"no"}' },
      },
    ],
    [
      "what is no JSON",
      (_b, _r, response) => void response.end("<html>"),
      { error_code: "TOOL_ERROR", error: "search answered with what is no JSON" },
    ],
    [
      "a number that cannot be kept exactly",
      (_b, _r, response) => void response.end('{"status":"success","output":{"id":12345678901234567890}}'),
      {
        error_code: "TOOL_ERROR",
        error: expect.stringContaining("search cannot be passed on: output.id is 12345678901234567890"),
      },
    ],
    [
      "a redirect, which is not followed",
      (_b, _r, response) => void response.writeHead(307, { location: `${realUrl}?again` }).end(),
      { error_code: "TOOL_ERROR", error_details: { http_status: 307 } },
    ],
    [
      "more than is good",
      (_b, _r, response) => {
        response.writeHead(200);
        const more = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024, 0x20)));
        };
        response.on("drain", more);
        more();
      },
      { error_code: "TOOL_ERROR", error: "the answer of search is larger than 10485760 bytes" },
    ],
    [
      "half an answer",
      (_b, _r, response) => {
        response.writeHead(200, { "content-length": "100" }).write('{"a":');
        response.destroy();
      },
      { error_code: "TOOL_ERROR", error: expect.stringContaining("search cannot be reached at 127.0.0.1:") },
    ],
  ])("that is answered with %s", async (_what, behave, expected) => {
    handler = behave;
    const session = await tools.open([{ name: "search", forward: { url: realUrl, timeout_ms: 20_000 } }]);
    const before = requests;
    const reply = await session.call("search");
    expect(reply).toMatchObject({ status: 200, body: expected });
    expect(requests).toBe(before + 1);
    expect(session.calls).toHaveLength(1);
    await session.close();
  });

  test("that is answered with silence", async () => {
    handler = () => undefined;
    // Long enough for the request to arrive on any machine.
    const session = await tools.open([{ name: "search", forward: { url: realUrl, timeout_ms: 3000 } }]);
    const before = requests;
    const reply = await session.call("search");
    const body = { error_code: "TOOL_ERROR", error: "search did not answer within 3000 ms" };
    expect(reply).toMatchObject({ status: 200, body });
    expect(requests).toBe(before + 1);
    expect(session.calls).toHaveLength(1);
    await session.close();
  });

  test("to nobody is an error", async () => {
    const gone = createServer().listen(0, "127.0.0.1");
    await once(gone, "listening");
    const { port } = gone.address() as AddressInfo;
    gone.close();
    const session = await tools.open([{ name: "search", forward: { url: `http://127.0.0.1:${port}/x` } }]);
    expect((await session.call("search")).body).toMatchObject({
      error: `search cannot be reached at 127.0.0.1:${port}: ECONNREFUSED`,
      error_code: "TOOL_ERROR",
    });
    await session.close();
  });

  test("is cut at the real tool, too, when the session ends", async () => {
    let gone = false;
    handler = (_body, request) => void request.socket.on("close", () => (gone = true));
    const session = await tools.open([{ name: "search", forward: { url: realUrl } }]);
    const before = requests;
    const answer = session.call("search");
    await until(() => requests > before);
    await session.close();
    expect((await answer).status).toBe(503);
    await until(() => gone);
  });

  test("to a host that is not allowed is refused before the run begins", async () => {
    await expect(
      tools.open([{ name: "search", forward: { url: "http://10.0.0.1/" } }]),
    ).rejects.toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining("the tool search goes to 10.0.0.1"),
    });
  });
});

describe("a recorded call", () => {
  test("is in the file before it is answered, without secrets, and can be replayed", async () => {
    const secret = "sk-live-0123456789";
    const redactor = createRedactor([{ name: "API_KEY", value: secret }]);
    const redact = (text: string): string => redactor.text(text);
    handler = (body, _request, response) => {
      const { input } = JSON.parse(body) as { input: { n: number } };
      if (input.n === 3)
        return answerWith({ status: "error", error: `bad ${secret}` })(body, _request, response);
      answerWith({ status: "success", output: { n: input.n, key: secret } })(body, _request, response);
    };
    const record = {
      url: realUrl,
      file: file("deep/calls.jsonl"),
      headers: { authorization: "Bearer abcdefgh12" },
    };
    const session = await tools.open([{ name: "search", record }], { redact });
    await session.call("search", { n: 1, key: secret });
    expect(await linesOf("deep/calls.jsonl")).toHaveLength(1);
    await session.call("search", { n: 1, key: secret });
    await session.call("search", { n: 3 });
    await session.close();

    expect(await readFile(file("deep/calls.jsonl"), "utf8")).not.toContain(secret);
    expect(await linesOf("deep/calls.jsonl")).toEqual([
      {
        tool: "search",
        input: { n: 1, key: "[redacted:API_KEY]" },
        status: "success",
        output: { n: 1, key: "[redacted:API_KEY]" },
        duration_ms: expect.any(Number),
      },
      expect.objectContaining({ input: { n: 1, key: "[redacted:API_KEY]" } }),
      expect.objectContaining({ status: "error", error: "bad [redacted:API_KEY]", error_code: "TOOL_ERROR" }),
    ]);

    const replay = { file: file("deep/calls.jsonl") };
    const again = await tools.open([{ name: "search", replay }], { redact });
    // The order of keys means nothing.
    expect((await again.call("search", { key: secret, n: 1 })).body).toMatchObject({ output: { n: 1 } });
    expect((await again.call("search", { n: 3 })).body).toMatchObject({
      status: "error",
      error: expect.any(String),
    });
    expect((await again.call("search", { n: 1, key: secret })).body).toMatchObject({ output: { n: 1 } });
    expect((await again.call("search", { n: 1, key: secret })).body).toMatchObject({
      status: "error",
      error_code: "TOOL_ERROR",
      error: "search was called with this input more often than recorded (2 times)",
      error_details: { recorded_calls: 3 },
    });
    expect(again.calls.map(({ mode }) => mode)).toEqual(["replay", "replay", "replay", "replay"]);
    await again.close();
  });

  test("never mixes with others that are written at the same time", async () => {
    handler = answerWith({ status: "success", output: "x".repeat(50_000) });
    const record = { url: realUrl, file: file("many.jsonl") };
    const sessions = await Promise.all([1, 2].map(() => tools.open([{ name: "search", record }])));
    await Promise.all(
      sessions.flatMap((session) => Array.from({ length: 20 }, (_, n) => session.call("search", { n }))),
    );
    expect(await linesOf("many.jsonl")).toHaveLength(40);
    await Promise.all(sessions.map((session) => session.close()));
  });

  test("keeps the secrets of the definition out of file and report, and stays JSON when one spans its parts", async () => {
    handler = answerWith({ status: "success", output: ["you sent abcdefgh12", 'left","right'] });
    const record = {
      url: realUrl,
      file: file("spans.jsonl"),
      headers: { authorization: "Bearer abcdefgh12", odd: '["a","b"]' },
    };
    const session = await tools.open([{ name: "search", record }]);
    await session.call("search", ["a", "b"]);
    const text = await readFile(file("spans.jsonl"), "utf8");
    expect(text).not.toContain("abcdefgh12");
    expect(() => JSON.parse(text) as unknown).not.toThrow();
    expect(JSON.stringify(session.calls)).not.toContain("abcdefgh12");
    await session.close();
  });

  test("that cannot be written is no success", async () => {
    handler = answerWith({ status: "success", output: 1 });
    await writeFile(file("plain"), "");
    const record = { url: realUrl, file: file("plain/below.jsonl") };
    const session = await tools.open([{ name: "search", record }]);
    expect((await session.call("search")).body).toMatchObject({
      status: "error",
      error_code: "TOOL_ERROR",
      error: expect.stringContaining("could not be recorded"),
    });
    await session.close();
  });
});

describe("a replayed call", () => {
  const recording = async (name: string, calls: object[]): Promise<{ file: string }> => {
    await writeFile(file(name), calls.map((call) => `${JSON.stringify(call)}\n`).join("\n"));
    return { file: file(name) };
  };

  test("that was not recorded says how it differs from the nearest that was", async () => {
    const replay = await recording("near.jsonl", [
      {
        tool: "search",
        input: { query: "b", filter: { lang: "de", years: [1, 2] } },
        status: "success",
        output: 1,
      },
      {
        tool: "search",
        input: { query: "a", filter: { lang: "en" }, page: 1 },
        status: "success",
        output: 2,
      },
      { tool: "other", input: { query: "a", filter: { lang: "en" } }, status: "success", output: 3 },
    ]);
    const session = await tools.open([
      { name: "search", replay },
      { name: "none", replay },
    ]);
    const { body } = await session.call("search", { query: "a", filter: { lang: "fr" }, "a b": 1 });
    expect(body).toMatchObject({
      status: "error",
      error_code: "TOOL_ERROR",
      error: "the recording has no call of search with this input",
      error_details: {
        recorded_calls: 2,
        nearest_input: { query: "a", filter: { lang: "en" }, page: 1 },
        differences: [
          '$.filter.lang: recorded with "en", called with "fr"',
          "$.page: recorded with 1, missing in the call",
          '$["a b"]: not recorded, called with 1',
        ],
      },
    });
    expect(session.calls[0]).toMatchObject({ error_details: { recorded_calls: 2 } });
    expect((await session.call("none")).body).toMatchObject({ error: "the recording has no call of none" });
    await session.close();
  });

  test("shows a large difference cut", async () => {
    const many = (text: string): object =>
      Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, text]));
    const replay = await recording("large.jsonl", [{ tool: "search", input: many("a"), status: "success" }]);
    const session = await tools.open([{ name: "search", replay }]);
    const { body } = await session.call("search", many("b".repeat(1000)) as Json);
    const { differences } = body["error_details"] as { differences: string[] };
    expect(differences).toHaveLength(21);
    expect(differences[20]).toBe("… and 80 more");
    expect(Math.max(...differences.map((line) => line.length))).toBeLessThan(300);
    await session.close();
  });

  test.each<[string, string | undefined, string]>([
    ["is not there", undefined, "there is no such recording"],
    [
      "has a line that is no JSON",
      '{"tool":"a","status":"success"}\nnope\n',
      "bad.jsonl:2  is not a recorded call",
    ],
    ["has a line that is no call", '{"tool":1}\n', "bad.jsonl:1  is not a recorded call"],
    ["ends in the middle of a line", '{"tool":"a","stat', "bad.jsonl:1  is not a recorded call"],
  ])("cannot be had from a file that %s", async (_what, content, message) => {
    if (content === undefined) await rm(file("bad.jsonl"), { force: true });
    else await writeFile(file("bad.jsonl"), content);
    await expect(tools.open([{ name: "a", replay: { file: file("bad.jsonl") } }])).rejects.toMatchObject({
      code: "FILE_UNREADABLE",
      message: expect.stringContaining(message),
    });
  });
});
