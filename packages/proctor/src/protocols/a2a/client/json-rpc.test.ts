// The client half on answers that are right, wrong and none, over JSON-RPC.
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { serveBytes, serveHttp } from "../../../../test/support/http/servers.ts";
import {
  call,
  clientOf,
  errorOf,
  eventsOf,
  failureCode,
  http,
  json,
} from "../../../../test/support/a2a/client-calls.ts";
import { serveA2a } from "../../../../test/support/a2a/scripted-server.ts";
import { TASK, taskOf } from "../../../../test/support/a2a/task-words.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { WireProblem } from "../codec.ts";
import type { A2aService } from "../service.ts";
import { createA2aClient } from "./create-a2a-client.ts";
import { isBroken } from "./transport-failure.ts";

/** A server that answers everything so. */
async function answering(answer: (response: ServerResponse) => void): Promise<A2aService> {
  const { url } = await serveHttp((_request, response) => answer(response));
  return clientOf(url);
}

describe("a client of JSON-RPC", () => {
  it("says which version it speaks, which extensions it wants, who it follows, and the tenant, exactly", async () => {
    const served = await serveA2a((asked) => asked.result(taskOf("WORKING")));
    const client = clientOf(served.url, { tenant: "Ä/1" });
    await client.getTask({ id: TASK, tenant: "another" }, { ...call, extensions: ["urn:a", "urn:b"] });
    const [asked] = served.asked;
    expect(asked?.headers).toMatchObject({
      "a2a-version": "1.0",
      "a2a-extensions": "urn:a, urn:b",
      traceparent: expect.stringContaining("-0123456789abcdef0123456789abcdef-") as string,
    });
    expect(asked?.params).toEqual({ id: TASK, tenant: "Ä/1" });
    await clientOf(served.url).getTask({ id: TASK, tenant: "another" }, call);
    expect(served.asked[1]?.params).toEqual({ id: TASK });
  });

  it("speaks 0.3 in its words, with its header for extensions", async () => {
    const task = { kind: "task", id: TASK, contextId: "c", status: { state: "input-required" } };
    const served = await serveA2a((asked) => asked.result(task), { version: "0.3" });
    const client = clientOf(served.url, { protocolVersion: "0.3.0" });
    const read = await client.getTask({ id: TASK }, { ...call, extensions: ["urn:a"] });
    expect(read.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    expect(served.asked[0]?.headers).toMatchObject({ "x-a2a-extensions": "urn:a" });
    expect(served.asked[0]?.headers).not.toHaveProperty("a2a-version");
    expect((await errorOf(client.listTasks({}, call))).reason).toBe("UNSUPPORTED_OPERATION");
  });

  it.each<[what: string, envelope: unknown, message: RegExp]>([
    ["another id", { jsonrpc: "2.0", id: 77, result: taskOf("WORKING") }, /id of another request/],
    ["no id", { jsonrpc: "2.0", result: taskOf("WORKING") }, /id of another request/],
    ["a batch", [{ jsonrpc: "2.0", id: 1, result: taskOf("WORKING") }], /is a batch/],
    ["another version", { jsonrpc: "1.0", id: 1, result: taskOf("WORKING") }, /not "2.0"/],
    ["no version", { id: 1, result: taskOf("WORKING") }, /not "2.0"/],
    [
      "both",
      { jsonrpc: "2.0", id: 1, result: {}, error: { code: 1, message: "x" } },
      /both a result and an error/,
    ],
    ["neither", { jsonrpc: "2.0", id: 1 }, /neither a result nor an error/],
    ["an error that is text", { jsonrpc: "2.0", id: 1, error: "x" }, /no object/],
    ["no object", "text", /no JSON-RPC response/],
    ["a task without an id", { jsonrpc: "2.0", id: 1, result: { status: {} } }, /./],
    ["too deep", `{"jsonrpc":"2.0","id":1,"result":${"[".repeat(300)}${"]".repeat(300)}}`, /nested deeper/],
  ])("refuses an answer with %s", async (_what, envelope, message) => {
    const client = await answering((response) =>
      json(
        response,
        typeof envelope === "string" && envelope !== "text" ? envelope : JSON.stringify(envelope),
      ),
    );
    const error = await errorOf(client.getTask({ id: TASK }, call));
    expect([error.reason, isBroken(error)]).toEqual(["INVALID_AGENT_RESPONSE", false]);
    expect(error.message).toMatch(message);
  });

  it("knows errors by their codes, whatever the status, and by the reason of their details", async () => {
    const body = (code: number, data?: unknown): JsonObject =>
      ({ jsonrpc: "2.0", id: 1, error: { code, message: "no", data } }) as JsonObject;
    const info = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", domain: "a2a-protocol.org" };
    for (const [sent, status, reason] of [
      [body(-32001), 200, "TASK_NOT_FOUND"],
      [body(-32004), 400, "UNSUPPORTED_OPERATION"],
      [body(-32000, [{ ...info, reason: "TASK_NOT_CANCELABLE" }]), 500, "TASK_NOT_CANCELABLE"],
      [{ ...body(-32700), id: null }, 200, "PARSE_ERROR"],
    ] as const) {
      const client = await answering((response) => json(response, sent, status));
      expect((await errorOf(client.getTask({ id: TASK }, call))).reason).toBe(reason);
    }
  });

  it.each<[what: string, answer: (response: ServerResponse) => void, code: string, broken: boolean]>([
    ["HTML", (r) => json(r, "<p>hello</p>", 200, "text/html"), "WRONG_CONTENT_TYPE", false],
    ["no content type", (r) => r.end("{}"), "WRONG_CONTENT_TYPE", false],
    ["nothing", (r) => json(r, ""), "NO_RESPONSE", true],
    ["204", (r) => r.writeHead(204).end(), "NO_RESPONSE", true],
    [
      "half of its body",
      (r) =>
        void (r.writeHead(200, { "content-type": "application/json", "content-length": "99" }),
        r.write("{"),
        r.socket?.end()),
      "CONNECTION_LOST",
      true,
    ],
    [
      "a redirect",
      (r) => r.writeHead(302, { location: "http://elsewhere.example/" }).end(),
      "REDIRECTED",
      false,
    ],
    ["500", (r) => json(r, "oh", 500, "text/plain"), "HTTP_ERROR", true],
    ["403", (r) => json(r, "no", 403, "text/plain"), "HTTP_ERROR", false],
    [
      "gzip",
      (r) => r.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end("x"),
      "WRONG_CONTENT_TYPE",
      false,
    ],
    ["broken JSON", (r) => json(r, "{"), "INVALID_RESPONSE", false],
    [
      "bytes that are no text",
      (r) => r.writeHead(200, { "content-type": "application/json" }).end(Buffer.from([0x22, 0xff, 0x22])),
      "INVALID_RESPONSE",
      false,
    ],
  ])("says clearly what is wrong with an answer that is %s", async (_what, answer, code, broken) => {
    const error = await errorOf((await answering(answer)).getTask({ id: TASK }, call));
    expect([failureCode(error), isBroken(error)]).toEqual([code, broken]);
  });

  it("refuses an answer and a frame that are too large", async () => {
    const { url } = await serveHttp((_request, response) => json(response, `"${"x".repeat(5000)}"`));
    const limits = { answerBytes: 1000, frameBytes: 1000 };
    const spoken = { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" };
    const small = createA2aClient({ interface: spoken, http, limits });
    expect((await errorOf(small.getTask({ id: TASK }, call))).message).toContain("larger than 1000 bytes");
    const served = await serveA2a(async (asked) => {
      const stream = asked.stream();
      await stream.frame({ task: taskOf("WORKING", { metadata: { x: "x".repeat(5000) } }) });
      stream.end();
    });
    const streaming = createA2aClient({ interface: { ...spoken, url: served.url }, http, limits });
    expect((await errorOf(eventsOf(streaming))).message).toContain("longer than 1000 bytes");
  });

  it("notes what an agent got wrong in a message that it can use", async () => {
    const problems: WireProblem[] = [];
    const served = await serveA2a((asked) => asked.result({ ...taskOf("WORKING"), history: "none" }));
    const client = clientOf(served.url, {}, (problem) => problems.push(problem));
    await client.getTask({ id: TASK }, call).catch(() => undefined);
    expect(problems.length).toBeGreaterThan(0);
  });
});

it("a client keeps going when a server sends something that is not HTTP", async () => {
  const { url } = await serveBytes("hello\r\n\r\n");
  const error = await errorOf(clientOf(url).getTask({ id: TASK }, call));
  expect(error.reason).toBe("INVALID_AGENT_RESPONSE");
});
