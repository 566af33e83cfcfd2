import { describe, expect, it } from "vitest";
import { serveBytes, serveHttp, serveSocket } from "../../../../test/support/http/servers.ts";
import { MAX_JSON_DEPTH } from "../../../core/json-depth.ts";
import {
  drive,
  serveAp,
  status,
  step,
  text,
  type Reply,
} from "../../../../test/support/agent-protocol/scripted-server.ts";

const codeOf = async (url: string): Promise<string | undefined> => (await drive(url)).end.failure?.code;

describe("the address of an Agent Protocol server", () => {
  it("is UNREACHABLE where nobody listens", async () => {
    const server = await serveSocket(() => undefined);
    await server.close();
    expect(await codeOf(server.url)).toBe("UNREACHABLE");
  });

  it("is INVALID_RESPONSE where another protocol is spoken", async () => {
    const server = await serveBytes("SSH-2.0-OpenSSH_9.6\r\n");
    expect(await codeOf(server.url)).toBe("INVALID_RESPONSE");
  });

  it.each(["nonsense", "ftp://host/"])("is INVALID_REQUEST when it is no HTTP URL: %s", async (url) => {
    expect(await codeOf(url)).toBe("INVALID_REQUEST");
  });

  it("is not left when it answers with a redirect", async () => {
    let asked = 0;
    const other = await serveHttp((_request, response) => void (asked++, response.end()));
    const server = await serveAp({ create: status(302, {}, { location: other.url }) });
    expect(await codeOf(server.url)).toBe("REDIRECTED");
    expect(asked).toBe(0);
  });
});

/** The same answer to the first request, and to the first step. */
const PLACES: [string, (reply: Reply) => { create: Reply } | { step: () => Reply }][] = [
  ["a task", (reply) => ({ create: reply })],
  ["a step", (reply) => ({ step: () => reply })],
];

describe.each(PLACES)("an Agent Protocol server that should send %s:", (_name, routes) => {
  it.each([401, 404, 429, 500])("an error status is HTTP_ERROR with what it says: %i", async (code) => {
    const server = await serveAp(routes(status(code, { message: "not today" }, { "retry-after": "7" })));
    const { end, logs } = await drive(server.url);
    expect(end.failure).toMatchObject({
      code: "HTTP_ERROR",
      message: expect.stringMatching(new RegExp(`with ${code} .*: not today$`)) as string,
      details: { status: code, retry_after_seconds: 7 },
    });
    expect(logs).toEqual(['{"message":"not today"}']);
  });

  it.each([
    ["not JSON", "{ this is not JSON"],
    ["too deep", "[".repeat(MAX_JSON_DEPTH + 2) + "]".repeat(MAX_JSON_DEPTH + 2)],
    ["cut off", '{"task_id": "x"'],
  ])("garbage is INVALID_RESPONSE, and kept: %s", async (_what, body) => {
    const server = await serveAp(routes(text(body)));
    const { end, rules, logs } = await drive(server.url);
    expect([end.failure?.code, rules, logs]).toEqual(["INVALID_RESPONSE", ["ap.json"], [body]]);
  });

  it("bytes that are no text are recorded", async () => {
    const server = await serveAp(routes(text(Buffer.from([0x7b, 0xff, 0xfe]))));
    expect((await drive(server.url)).rules).toEqual(["line.encoding", "ap.json"]);
  });

  it("another type is WRONG_CONTENT_TYPE, with the beginning of it", async () => {
    const server = await serveAp(routes(text("<html>hello</html>", "text/html")));
    const { end, logs } = await drive(server.url);
    expect([end.failure?.code, logs]).toEqual(["WRONG_CONTENT_TYPE", ["<html>hello</html>"]]);
  });

  it("something compressed is WRONG_CONTENT_TYPE", async () => {
    const server = await serveAp(routes(status(200, {}, { "content-encoding": "gzip" })));
    expect(await codeOf(server.url)).toBe("WRONG_CONTENT_TYPE");
  });

  it.each([
    ["an empty body", text("")],
    ["no content", status(204)],
  ])("%s is NO_RESPONSE", async (_what, reply) => {
    const server = await serveAp(routes(reply));
    expect(await codeOf(server.url)).toBe("NO_RESPONSE");
  });

  it("an answer that is cut off is CONNECTION_LOST", async () => {
    const server = await serveAp(
      routes((response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
        response.write('{"task_id":', () => response.destroy());
      }),
    );
    expect(await codeOf(server.url)).toBe("CONNECTION_LOST");
  });

  it("an answer beyond the limit is INVALID_RESPONSE, and its end is not waited for", async () => {
    const server = await serveAp(
      routes((response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "99999999999" });
        response.write(" ");
      }),
    );
    expect((await drive(server.url)).end.failure?.message).toContain("larger than 67108864 bytes");
  });

  it("an error whose body never ends is not waited for", async () => {
    const server = await serveAp(
      routes((response) => {
        response.writeHead(500, { "content-type": "text/plain" });
        response.write("oops");
      }),
    );
    const { end, logs } = await drive(server.url);
    expect([end.failure?.code, logs]).toEqual(["HTTP_ERROR", ["oops"]]);
  });
});

describe("a recorded run of an Agent Protocol server", () => {
  it("has every message, bytes of files only counted", async () => {
    const server = await serveAp({
      step: (number) => (number === 1 ? step({ step_id: "s1" }) : status(500)),
    });
    const { payloads } = await drive(server.url, { record: true });
    const messages = payloads("wire.message") as { direction: string; channel: string; name?: string }[];
    expect(messages.map(({ direction, channel }) => `${direction} ${channel}`)).toEqual(
      Array.from({ length: 4 }, () => [
        "sent request",
        "received head",
        "received body",
        "received close",
      ]).flat(),
    );
    expect(messages[0]).toMatchObject({
      name: "POST /ap/v1/agent/tasks",
      text: expect.stringContaining("do it") as string,
    });
    expect(messages[4]).toMatchObject({ name: "POST /ap/v1/agent/tasks/{task_id}/steps", text: "" });
    expect(messages[9]).toMatchObject({ status: 500, content_type: "application/json" });
  });

  it("has no messages unless recording is on", async () => {
    expect((await drive((await serveAp()).url)).types).not.toContain("wire.message");
  });
});
