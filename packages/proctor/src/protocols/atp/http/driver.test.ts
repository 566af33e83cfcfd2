import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { deferred, drained, serveHttp, serveHttps } from "../../../../test/support/http/servers.ts";
import { CERTIFICATE } from "../../../../test/support/http/test-certificate.ts";
import { parseTraceparent } from "../../../core/trace.ts";
import {
  atpEvent,
  atpResponse,
  drive,
  frame,
  jobFor,
  TASK_ID,
  TRACE_ID,
} from "../../../../test/support/atp/drive-http.ts";
import { gatherReports } from "../../../../test/support/gather-reports.ts";
import { createHttpDriver } from "./driver.ts";

const STREAM = { "content-type": "text/event-stream" };
const JSON_TYPE = { "content-type": "application/json" };
const signals = () => ({ cancel: new AbortController().signal, kill: new AbortController().signal });

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
}

const answerJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, JSON_TYPE).end(JSON.stringify(body));
};

describe("the request of the HTTP driver", () => {
  it("is posted below the agent's address, with the protocol's headers and the agent's own", async () => {
    const seen: { url?: string | undefined; headers?: IncomingMessage["headers"]; body?: object }[] = [];
    const server = await serveHttp((request, response) => {
      void bodyOf(request).then((body) => {
        seen.push({ url: request.url, headers: request.headers, body });
        response.writeHead(200, STREAM).end(frame("response", atpResponse()));
      });
    });
    const headers = {
      Authorization: "Bearer abc",
      Accept: "text/html",
      "Content-Length": "3",
      Connection: "close",
    };
    const { end } = await drive(`${server.url}/agents/a/?key=1`, { spec: { headers } });
    expect(end.status).toBe("completed");
    expect(seen).toHaveLength(1);
    expect(seen[0]?.url).toBe("/agents/a/execute/stream?key=1");
    expect(seen[0]?.body).toMatchObject({ version: "1.0", task_id: TASK_ID, task: { description: "do it" } });
    expect(seen[0]?.headers).toMatchObject({
      authorization: "Bearer abc",
      "content-type": "application/json",
      accept: "text/html",
      "accept-encoding": "identity",
      connection: "keep-alive",
    });
    expect(parseTraceparent(seen[0]?.headers?.["traceparent"] as string)?.traceId).toBe(TRACE_ID);
  });

  it("is answered by a stream that ended without the last blank line, which is a violation", async () => {
    for (const cut of ["\n", "\n\n"]) {
      const server = await serveHttp((_request, response) => {
        const text = `data: ${JSON.stringify(atpResponse())}\n\n`;
        response.writeHead(200, STREAM).end(text.slice(0, -cut.length));
      });
      const { end, reports } = await drive(server.url);
      expect(end.status).toBe("completed");
      expect(reports).toMatchObject([
        { event: { type: "violation", payload: { rule: "atp.frame" } } },
        { kind: "end" },
      ]);
    }
  });

  it("goes to /execute, once, where there is no stream", async () => {
    for (const status of [404, 405, 501]) {
      const paths: string[] = [];
      const server = await serveHttp((request, response) => {
        paths.push(`${request.method} ${request.url}`);
        if (request.url === "/execute") answerJson(response, 200, atpResponse());
        else answerJson(response, status, { detail: "Not Found" });
      });
      const { end, types, rules } = await drive(server.url);
      expect(end.status).toBe("completed");
      expect({ types, rules }).toEqual({ types: [], rules: [] });
      expect(paths).toEqual(["POST /execute/stream", "POST /execute"]);
      expect(server.connections).toBe(1);
    }
  });

  it("does not go to /execute when the stream is refused by an ATP response", async () => {
    const paths: (string | undefined)[] = [];
    const server = await serveHttp((request, response) => {
      paths.push(request.url);
      answerJson(response, 404, atpResponse({ status: "failed", error: "no such agent" }));
    });
    const { end } = await drive(server.url);
    expect(end).toMatchObject({ status: "failed", failure: { message: "no such agent" } });
    expect(paths).toEqual(["/execute/stream"]);
  });
});

describe("an agent's event stream", () => {
  it("reports named frames as they come, and what the response brought", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, STREAM);
      response.write(`: hello\nretry: 5\n\n${frame("event", atpEvent(0))}`);
      response.write(`id: 1\n${frame("event", atpEvent(1))}`);
      const artifacts = [{ type: "structured", name: "result", data: { output: 1 } }];
      response.end(frame("response", atpResponse({ artifacts, metrics: { total_tokens: 7 } })));
    });
    const { reports, types, end } = await drive(server.url);
    expect(types).toEqual(["progress", "progress"]);
    expect(reports[2]).toMatchObject({ kind: "artifact", artifact: { name: "result", data: { output: 1 } } });
    expect(end).toMatchObject({ status: "completed", metrics: { total_tokens: 7 } });
  });

  it("tells unnamed frames apart by their shape, as the document's FastAPI example sends them", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      for (const message of [atpEvent(0), atpEvent(1), atpResponse()]) {
        response.write(`data: ${JSON.stringify(message)}\n\n`);
      }
      response.end();
    });
    const { types, end, rules } = await drive(server.url);
    expect({ types, rules, status: end.status }).toEqual({
      types: ["progress", "progress"],
      rules: [],
      status: "completed",
    });
  });

  it("joins data of several lines, however the bytes are cut", async () => {
    const text = `data: ${JSON.stringify(atpEvent(0, { message: "жёлтый" }), null, 1).replaceAll("\n", "\ndata: ")}\n\n`;
    const bytes = Buffer.from(text + frame("response", atpResponse()));
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, STREAM);
      const writeFrom = (index: number): void => {
        if (index >= bytes.length) return void response.end();
        response.write(bytes.subarray(index, index + 3), () => setImmediate(writeFrom, index + 3));
      };
      writeFrom(0);
    });
    const { reports, rules, end } = await drive(server.url);
    expect(reports[0]).toMatchObject({ event: { type: "progress", payload: { message: "жёлтый" } } });
    expect({ rules, status: end.status }).toEqual({ rules: [], status: "completed" });
  });

  it("ends with its response: what follows is not read, and the connection is closed", async () => {
    const closed = deferred();
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, STREAM);
      response.write(frame("response", atpResponse()) + frame("event", atpEvent(0)));
      response.on("close", () => closed.resolve());
    });
    const { types, end } = await drive(server.url);
    expect({ types, status: end.status }).toEqual({ types: [], status: "completed" });
    await closed.promise;
    await drained(server);
  });

  it("ends with a response that cannot be used, as well", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, STREAM).write(frame("response", { ...atpResponse(), status: "great" }));
    });
    const { end } = await drive(server.url);
    expect(end).toMatchObject({ status: "failed", failure: { code: "INVALID_RESPONSE" } });
  });

  it("goes on after a frame whose name does not fit, and notes it", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, STREAM);
      response.end(frame("response", atpEvent(0)) + "data:\n\n" + frame("event", atpResponse()));
    });
    const { types, rules, end } = await drive(server.url);
    expect(types.filter((type) => type !== "violation")).toEqual(["progress"]);
    expect(rules).toEqual(["atp.frame", "atp.message", "atp.frame"]);
    expect(end.status).toBe("completed");
  });

  it("holds the agent back while nobody reads", async () => {
    let sent = 0;
    const stalled = deferred();
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, STREAM);
      const line = frame("event", atpEvent(0, { message: "x".repeat(60_000) }));
      const fill = (): void => {
        while (sent < 600) {
          sent++;
          if (!response.write(line)) {
            const waiting = setTimeout(stalled.resolve, 200);
            return void response.once("drain", () => (clearTimeout(waiting), fill()));
          }
        }
        response.end(frame("response", atpResponse()));
      };
      fill();
    });
    let events = 0;
    const { end } = await gatherReports(
      createHttpDriver().open(jobFor(server.url), signals()),
      async (report) => {
        if (report.kind === "event" && events++ === 0) {
          await stalled.promise;
          expect(sent).toBeLessThan(300);
        }
      },
    );
    expect(end.status).toBe("completed");
  });
});

describe("an agent's JSON body", () => {
  it("is taken as the response when the stream answers with JSON", async () => {
    for (const type of [
      "application/json",
      "application/vnd.atp.v1+json; charset=utf-8",
      "Application/JSON",
    ]) {
      const server = await serveHttp((_request, response) => {
        response.writeHead(200, { "content-type": type }).end(JSON.stringify(atpResponse(), null, 2));
      });
      expect((await drive(server.url)).end.status).toBe("completed");
    }
  });

  it("is the response, too, when its status says error", async () => {
    const failed = atpResponse({ status: "failed", error: "broke", error_code: "LLM_ERROR" });
    const server = await serveHttp((_request, response) => answerJson(response, 500, failed));
    const { end, rules } = await drive(server.url);
    expect(end).toMatchObject({ status: "failed", failure: { code: "LLM_ERROR", message: "broke" } });
    expect(rules).toEqual([]);
  });
});

describe("connections of the HTTP driver", () => {
  it("are used again, after bodies and after streams", async () => {
    const server = await serveHttp((request, response) => {
      if (request.url === "/b/execute/stream") answerJson(response, 404, {});
      else if (request.url === "/b/execute") answerJson(response, 200, atpResponse());
      else {
        response.writeHead(200, STREAM).write(frame("response", atpResponse()), () => response.end());
      }
    });
    const driver = createHttpDriver();
    for (let run = 0; run < 40; run++) {
      const { end } = await gatherReports(
        driver.open(jobFor(`${server.url}/${run % 2 === 0 ? "a" : "b"}`), signals()),
      );
      expect(end.status).toBe("completed");
    }
    // The end of a stream may come after the next run has begun.
    expect(server.connections).toBeLessThan(5);
  });

  it("serve many runs at once", async () => {
    let open = 0;
    const all = deferred();
    const server = await serveHttp((_request, response) => {
      if (++open === 64) all.resolve();
      response.writeHead(200, STREAM).write(frame("event", atpEvent(0)));
      void all.promise.then(() => response.end(frame("response", atpResponse())));
    });
    const driver = createHttpDriver();
    const runs = await Promise.all(
      Array.from({ length: 64 }, () => gatherReports(driver.open(jobFor(server.url), signals()))),
    );
    expect(runs.every(({ end, types }) => end.status === "completed" && types.length === 1)).toBe(true);
    expect(server.connections).toBe(64);
  });

  it("use TLS when the address begins with https", async () => {
    const server = await serveHttps((_request, response) => answerJson(response, 200, atpResponse()));
    expect((await drive(server.url, { ca: CERTIFICATE })).end.status).toBe("completed");
  });
});

describe("stopping a run over HTTP", () => {
  for (const signal of ["cancel", "kill"] as const) {
    it(`by ${signal} leaves the connection, and ends at once with what had come`, async () => {
      const left = deferred();
      const server = await serveHttp((_request, response) => {
        response.writeHead(200, STREAM).write(frame("event", atpEvent(0)));
        response.on("close", () => left.resolve());
      });
      const stop = new AbortController();
      const { types, end } = await drive(server.url, { [signal]: stop.signal, onReport: () => stop.abort() });
      expect({ types, status: end.status }).toEqual({ types: ["progress"], status: "cancelled" });
      await left.promise;
      await drained(server);
    });
  }

  it("works on a server that never answers", async () => {
    const asked = deferred();
    const server = await serveHttp(() => asked.resolve());
    const stop = new AbortController();
    const driven = drive(server.url, { cancel: stop.signal });
    await asked.promise;
    stop.abort();
    expect((await driven).end).toEqual({ status: "cancelled" });
    await drained(server);
  });

  it("before the start asks nobody", async () => {
    const server = await serveHttp(() => undefined);
    expect((await drive(server.url, { cancel: AbortSignal.abort() })).end.status).toBe("cancelled");
    expect(server.connections).toBe(0);
  });

  it("happens when the reader leaves its loop early", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, STREAM).write(frame("event", atpEvent(0)));
    });
    for await (const report of createHttpDriver().open(jobFor(server.url), signals())) {
      expect(report.kind).toBe("event");
      break;
    }
    await drained(server);
  });
});
