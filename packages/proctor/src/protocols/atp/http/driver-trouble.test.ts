import { gzipSync } from "node:zlib";
import { freePort } from "../../../../test/support/http/free-port.ts";
import { describe, expect, it } from "vitest";
import {
  deferred,
  drained,
  serveBytes,
  serveHttp,
  serveHttps,
  serveSocket,
} from "../../../../test/support/http/servers.ts";
import { CERTIFICATE } from "../../../../test/support/http/test-certificate.ts";
import {
  atpEvent,
  atpResponse,
  drive,
  frame,
  type DriveOptions,
} from "../../../../test/support/atp/drive-http.ts";

const STREAM_HEAD = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
const CHUNKED = `${STREAM_HEAD}transfer-encoding: chunked\r\n\r\n`;
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

/** The failure with which a run against this address ends. */
async function failureOf(url: string, options: DriveOptions = {}) {
  const { end, ...rest } = await drive(url, options);
  expect(end.status).toBe("failed");
  return { ...rest, ...end.failure, details: end.failure?.details ?? {} };
}

describe("a run over HTTP fails with UNREACHABLE", () => {
  it("when nothing listens", async () => {
    const port = await freePort();
    const failed = await failureOf(`http://127.0.0.1:${port}/secret-path?key=1`);
    expect(failed).toMatchObject({ code: "UNREACHABLE", details: { reason: "ECONNREFUSED" } });
    expect(failed.message).toBe(`http://127.0.0.1:${port} refused the connection: nothing listens there`);
  });

  it("when the name is not known", async () => {
    const failed = await failureOf("http://nobody.invalid:1");
    expect(failed.code).toBe("UNREACHABLE");
    expect(failed.details["reason"]).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
  });

  it("when a handshake takes too long", async () => {
    const server = await serveSocket((socket) => socket.resume());
    const failed = await failureOf(server.url.replace("http:", "https:"), { connectTimeoutMs: 1000 });
    expect(failed).toMatchObject({ code: "UNREACHABLE", details: { reason: "ETIMEDOUT" } });
    expect(failed.message).toMatch(/TLS handshake/);
    await drained(server);
  });

  it("when the server hangs up during the handshake", async () => {
    const server = await serveSocket((socket) => socket.once("data", () => socket.destroy()));
    expect((await failureOf(server.url.replace("http:", "https:"))).code).toBe("UNREACHABLE");
  });
});

describe("a run over HTTP fails with TLS_FAILED", () => {
  it("when the certificate is not trusted", async () => {
    const server = await serveHttps(() => undefined);
    const failed = await failureOf(server.url);
    expect(failed).toMatchObject({ code: "TLS_FAILED", details: { reason: "DEPTH_ZERO_SELF_SIGNED_CERT" } });
  });

  it("when it is for another name", async () => {
    const server = await serveHttps(() => undefined);
    const failed = await failureOf(server.url.replace("localhost", "a.localhost"), { ca: CERTIFICATE });
    expect(["ERR_TLS_CERT_ALTNAME_INVALID", "ENOTFOUND"]).toContain(failed.details["reason"]);
  });

  it("when the server does not speak TLS", async () => {
    const server = await serveBytes("HTTP/1.1 400 Bad Request\r\n\r\n");
    const failed = await failureOf(server.url.replace("http:", "https:"));
    expect(failed.code).toBe("TLS_FAILED");
    expect(failed.message).toMatch(/does not speak TLS/);
  });
});

describe("a run over HTTP that fails with REDIRECTED", () => {
  it("names the origin and is never followed", async () => {
    let followed = false;
    const target = await serveHttp(() => (followed = true));
    for (const status of [301, 302, 303, 307, 308]) {
      const location = `${target.url}/execute?token=s3cret`;
      const server = await serveHttp((_request, response) => response.writeHead(status, { location }).end());
      const failed = await failureOf(server.url);
      expect(failed).toMatchObject({ code: "REDIRECTED", details: { status, location: target.url } });
      expect(JSON.stringify(failed)).not.toContain("s3cret");
    }
    expect(followed).toBe(false);
  });

  it("may have a location that is no URL", async () => {
    const server = await serveBytes("HTTP/1.1 302 Found\r\nlocation: http://[\r\ncontent-length: 0\r\n\r\n");
    expect(await failureOf(server.url)).toMatchObject({ code: "REDIRECTED", details: { status: 302 } });
  });
});

describe("a run over HTTP that fails with HTTP_ERROR", () => {
  it("tells the status, and logs the beginning of the body", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(503, { "content-type": "text/html" }).end(`<h1>down</h1>${"x".repeat(50_000)}`);
    });
    const failed = await failureOf(server.url);
    expect(failed).toMatchObject({ code: "HTTP_ERROR", details: { status: 503 }, rules: [] });
    expect(failed.message).toMatch(/503 Service Unavailable/);
    expect(failed.logs[0]).toMatch(/^<h1>down<\/h1>x{100}/);
    expect(failed.logs[0]?.length).toBeLessThan(10_000);
    const payload = { stream: "message", dropped_bytes: expect.any(Number) as number };
    expect(failed.reports[0]).toMatchObject({ event: { payload } });
  });

  it("may have JSON in its body that is no ATP response", async () => {
    for (const body of [
      '{"detail":[{"msg":"field required"}]}',
      '{"status":"error"}',
      "{",
      "[".repeat(10_000),
    ]) {
      const server = await serveHttp((_request, response) => {
        response.writeHead(422, { "content-type": "application/json" }).end(body);
      });
      const failed = await failureOf(server.url);
      expect(failed).toMatchObject({ code: "HTTP_ERROR", details: { status: 422 } });
      expect(failed.logs).toHaveLength(1);
    }
  });

  it("does not wait for the end of a body that has none", async () => {
    for (const [status, code] of [
      [500, "HTTP_ERROR"],
      [200, "WRONG_CONTENT_TYPE"],
    ] as const) {
      const server = await serveHttp((_request, response) => {
        response.writeHead(status, { "content-type": "text/plain" }).write("wait…");
      });
      expect(await failureOf(server.url)).toMatchObject({ code, logs: ["wait…"] });
      await drained(server);
    }
  });

  it("may have found neither endpoint", async () => {
    const server = await serveHttp((_request, response) => response.writeHead(404).end("nothing here"));
    const failed = await failureOf(server.url);
    expect(failed).toMatchObject({ code: "HTTP_ERROR", details: { status: 404 }, logs: ["nothing here"] });
    expect(failed.message).toMatch(/answered \/execute with 404/);
  });
});

describe("the failure WRONG_CONTENT_TYPE", () => {
  for (const type of ["text/html", "application/vnd.atp.v2+json", "application/problem+json", undefined]) {
    it(`for ${type ?? "none"}`, async () => {
      const server = await serveHttp((_request, response) => {
        if (type !== undefined) response.setHeader("content-type", type);
        response.end(JSON.stringify(atpResponse()));
      });
      const failed = await failureOf(server.url);
      expect(failed).toMatchObject({ code: "WRONG_CONTENT_TYPE", details: { content_type: type ?? null } });
      expect(failed.logs[0]).toContain("completed");
    });
  }

  it("for a body that was compressed, unasked", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(gzipSync(JSON.stringify(atpResponse())));
    });
    const failed = await failureOf(server.url);
    expect(failed).toMatchObject({ code: "WRONG_CONTENT_TYPE", details: { content_encoding: "gzip" } });
  });

  it("closes a binary body that does not end", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { "content-type": "video/mp4" });
      const pour = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        if (!response.destroyed) response.once("drain", pour);
      };
      pour();
    });
    expect((await failureOf(server.url)).code).toBe("WRONG_CONTENT_TYPE");
    await drained(server);
  });
});

describe("a run over HTTP fails with NO_RESPONSE", () => {
  it("when the stream ends without one; its events are kept", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(frame("event", atpEvent(0)));
    });
    const failed = await failureOf(server.url);
    expect(failed).toMatchObject({ code: "NO_RESPONSE", types: ["progress"] });
  });

  it("when the last frame is cut in the middle", async () => {
    const server = await serveHttp((_request, response) => {
      const text = frame("event", atpEvent(0)) + frame("response", atpResponse()).slice(0, -10);
      response.writeHead(200, { "content-type": "text/event-stream" }).end(text);
    });
    expect(await failureOf(server.url)).toMatchObject({ code: "NO_RESPONSE" });
  });

  it("when the connection itself marks the end", async () => {
    const server = await serveBytes(`${STREAM_HEAD}\r\n`, frame("event", atpEvent(0)));
    expect(await failureOf(server.url)).toMatchObject({ code: "NO_RESPONSE", types: ["progress"] });
  });

  it("when there is no body", async () => {
    const none = await serveHttp((_request, response) => response.writeHead(204).end());
    expect((await failureOf(none.url)).code).toBe("NO_RESPONSE");
    const empty = await serveHttp((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(" \n");
    });
    expect((await failureOf(empty.url)).code).toBe("NO_RESPONSE");
  });
});

describe("a run over HTTP fails with CONNECTION_LOST", () => {
  it("when a stream is cut; everything that came before is kept", async () => {
    const events = Array.from({ length: 200 }, (_, index) => frame("event", atpEvent(index)));
    const server = await serveBytes(CHUNKED, ...events.map(chunk), "40\r\nevent: resp");
    const failed = await failureOf(server.url, {
      onReport: () => new Promise((resolve) => setImmediate(resolve)),
    });
    expect(failed.code).toBe("CONNECTION_LOST");
    expect(failed.types).toHaveLength(200);
  });

  it("when a body is cut", async () => {
    const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n";
    const server = await serveBytes(head, '{"status": "completed"');
    expect(await failureOf(server.url)).toMatchObject({
      code: "CONNECTION_LOST",
      logs: ['{"status": "completed"'],
    });
  });

  it("when the server takes the request and hangs up", async () => {
    const server = await serveSocket((socket) => socket.once("data", () => socket.resetAndDestroy()));
    expect((await failureOf(server.url)).code).toBe("CONNECTION_LOST");
    expect(server.connections).toBe(1);
  });

  it("when it is reset in the middle of a stream", async () => {
    const cut = deferred();
    const server = await serveSocket((socket) => {
      socket.once("data", () => socket.write(CHUNKED + chunk(frame("event", atpEvent(0)))));
      void cut.promise.then(() => socket.resetAndDestroy());
    });
    const failed = await failureOf(server.url, { onReport: () => cut.resolve() });
    expect(failed).toMatchObject({ code: "CONNECTION_LOST", types: ["progress"] });
  });
});

describe("a run over HTTP fails with INVALID_RESPONSE", () => {
  it("when the answer is not HTTP", async () => {
    const server = await serveBytes("SSH-2.0-OpenSSH_9.6\r\n");
    expect((await failureOf(server.url)).code).toBe("INVALID_RESPONSE");
  });

  it("when the headers have no end", async () => {
    const server = await serveSocket((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const pour = (): void => {
        while (!socket.destroyed && socket.write(`x-padding: ${"y".repeat(1000)}\r\n`));
        if (!socket.destroyed) socket.once("drain", pour);
      };
      pour();
    });
    const failed = await failureOf(server.url);
    expect(failed).toMatchObject({ code: "INVALID_RESPONSE", details: { reason: "HPE_HEADER_OVERFLOW" } });
    await drained(server);
  });

  it("when interim answers have no end", async () => {
    const server = await serveSocket((socket) => {
      socket.once("data", () => socket.write("HTTP/1.1 102 Processing\r\n\r\n".repeat(1000)));
    });
    expect((await failureOf(server.url)).code).toBe("INVALID_RESPONSE");
  });

  it("when a chunk is malformed; events before it are kept", async () => {
    const server = await serveBytes(CHUNKED, chunk(frame("event", atpEvent(0))), "nonsense\r\n");
    expect(await failureOf(server.url)).toMatchObject({ code: "INVALID_RESPONSE", types: ["progress"] });
  });

  it("when the body is JSON and no response", async () => {
    for (const [body, rule] of [
      ["{}", "atp.message"],
      ["nonsense", "atp.json"],
      ['{"status":"great"}', "atp.response"],
      [`{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`, "atp.json"],
    ] as const) {
      const server = await serveHttp((_request, response) => {
        response.writeHead(200, { "content-type": "application/json" }).end(body);
      });
      const failed = await failureOf(server.url);
      expect(failed.code).toBe("INVALID_RESPONSE");
      expect(failed.rules).toContain(rule);
      expect(failed.logs[0]?.slice(0, 5)).toBe(body.slice(0, 5));
    }
  });

  it("when the body is larger than anybody needs, and it is left", async () => {
    const declared = await serveSocket((socket) => {
      socket.once("data", () =>
        socket.write(
          "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99999999\r\n\r\n{",
        ),
      );
    });
    expect((await failureOf(declared.url)).message).toMatch(/larger than/);
    await drained(declared);
    const endless = await serveHttp((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const block = Buffer.alloc(1024 * 1024, " ");
      const pour = (): void => {
        while (!response.destroyed && response.write(block));
        if (!response.destroyed) response.once("drain", pour);
      };
      pour();
    });
    expect(await failureOf(endless.url)).toMatchObject({ code: "INVALID_RESPONSE", logs: [] });
    await drained(endless);
  });
});

describe("in a run over HTTP", () => {
  it("a frame that is too long is dropped, and the stream goes on", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(frame("event", atpEvent(0, { message: "x".repeat(11 * 1024 * 1024) })));
      response.end(frame("event", atpEvent(0)) + frame("response", atpResponse()));
    });
    const { end, rules, types } = await drive(server.url);
    expect(end.status).toBe("completed");
    expect({ rules, types }).toEqual({ rules: ["line.too_long"], types: ["violation", "progress"] });
  });

  it("a response that is too long is no response", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(frame("response", atpResponse({ error: "x".repeat(11 * 1024 * 1024) })));
    });
    expect((await failureOf(server.url)).code).toBe("INVALID_RESPONSE");
  });

  it("bytes that are not UTF-8 are shown as such", async () => {
    const [before, after] = frame("event", atpEvent(0, { message: "<>" })).split("<>");
    for (const [bytes, rules] of [
      [Buffer.from([0xff, 0xfe]), ["line.encoding"]],
      [Buffer.from("\uFFFD"), []],
    ] as const) {
      const server = await serveHttp((_request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(Buffer.concat([Buffer.from(before ?? ""), bytes, Buffer.from(after ?? "")]));
        response.end(frame("response", atpResponse()));
      });
      const driven = await drive(server.url);
      expect({ rules: driven.rules, status: driven.end.status }).toEqual({ rules, status: "completed" });
    }
  });
});

describe("a request over HTTP that cannot be sent", () => {
  it("is refused without asking anybody, and without showing secrets", async () => {
    const server = await serveHttp(() => undefined);
    const failed = await failureOf(server.url, { spec: { headers: { authorization: "s3cret\nx" } } });
    expect(failed.code).toBe("INVALID_REQUEST");
    expect(JSON.stringify(failed)).not.toContain("s3cret");
    for (const url of ["ftp://127.0.0.1", "http://", "x"]) {
      expect((await failureOf(server.url, { spec: { url } })).code).toBe("INVALID_REQUEST");
    }
    expect(server.connections).toBe(0);
  });
});
