import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { deferred, serveHttp, serveSocket } from "../../../test/support/http/servers.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { encodeRun } from "./encode-run.ts";
import { createOtlpExporter, type OtlpExporter, type OtlpExporterOptions } from "./exporter.ts";
import { throughOfficialSchema } from "../../../test/support/otlp/official-schema.ts";
import type { OtlpTraceRequest } from "./otlp.ts";
import {
  type Entry,
  EVERYTHING,
  EVERYTHING_RUN,
  log,
  runDocument,
  spansOf,
} from "../../../test/support/otlp/runs.ts";
import { eventually } from "../../../test/support/eventually.ts";

interface Received {
  headers: IncomingMessage["headers"];
  path: string;
  request: OtlpTraceRequest;
  sizeBytes: number;
}

interface Collector {
  url: string;
  received: Received[];
}

/** A collector that remembers what it got, and answers the n-th request as told. */
async function collect(
  answer: (response: ServerResponse, number: number) => unknown = accept,
): Promise<Collector> {
  const received: Received[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = gunzipSync(Buffer.concat(chunks)).toString();
      const body = JSON.parse(text) as OtlpTraceRequest;
      received.push({
        headers: request.headers,
        path: request.url ?? "",
        request: body,
        sizeBytes: text.length,
      });
      answer(response, received.length);
    });
  };
  const { url } = await serveHttp(listener);
  return { url, received };
}

const accept = (response: ServerResponse): unknown =>
  response.setHeader("content-type", "application/json").end("{}");
const answer =
  (status: number, body = "", headers: Record<string, string> = {}) =>
  (response: ServerResponse): unknown =>
    response.writeHead(status, headers).end(body);

/** A clock in which every delay is over at once, and remembered. */
function hastyClock(): Clock & { delays: number[] } {
  let nowMs = 0;
  const delays: number[] = [];
  return {
    delays,
    now: () => nowMs,
    after(delayMs, callback) {
      delays.push(delayMs);
      const timer = setImmediate(() => {
        nowMs += delayMs;
        callback();
      });
      return () => clearImmediate(timer);
    },
  };
}

function open(
  url: string,
  options: Partial<OtlpExporterOptions> = {},
): { exporter: OtlpExporter; told: string[] } {
  const told: string[] = [];
  const report = (message: string): unknown => told.push(message);
  return { exporter: createOtlpExporter({ url, report, ...options }), told };
}

const trace = (id = "run-1"): Promise<OtlpTraceRequest> => encodeRun(runDocument({ id }), []);

describe("the OTLP exporter", () => {
  it("posts gzipped JSON to /v1/traces, as the official schema has it", async () => {
    const { url, received } = await collect();
    const { exporter, told } = open(url, { headers: { "x-key": "abc" } });
    const request = await encodeRun(EVERYTHING_RUN, log(...EVERYTHING), { content: true });
    await exporter.export(request);
    await exporter.close();
    expect(received).toMatchObject([
      {
        path: "/v1/traces",
        headers: { "content-type": "application/json", "content-encoding": "gzip", "x-key": "abc" },
      },
    ]);
    expect(received[0]?.request).toEqual(JSON.parse(JSON.stringify(request)));
    expect(throughOfficialSchema(received[0]?.request)).toEqual(received[0]?.request);
    expect({ told, failures: exporter.failures }).toEqual({ told: [], failures: 0 });
  });

  it("puts traces that come together into one request, and does not mix their resources", async () => {
    const { url, received } = await collect();
    const { exporter } = open(url);
    await exporter.export(await trace("a"));
    await exporter.export(await encodeRun(runDocument({ id: "b" }), [], { serviceName: "other" }));
    await exporter.export(await encodeRun(runDocument({ id: "c" }), [], { serviceName: "other" }));
    await exporter.close();
    expect(received).toHaveLength(1);
    expect(received[0]?.request.resourceSpans.map((group) => group.scopeSpans[0]?.spans.length)).toEqual([
      1, 2,
    ]);
  });

  it("cuts a trace into requests of bounded size", async () => {
    const { url, received } = await collect();
    const { exporter } = open(url, { maxBatchBytes: 3000 });
    const calls = log(...Array.from({ length: 30 }, (): Entry => ["llm_request", { model: "m" }]));
    const request = await encodeRun(runDocument(), calls);
    await exporter.export(request);
    await exporter.flush();
    expect(received.length).toBeGreaterThan(3);
    for (const { sizeBytes } of received) expect(sizeBytes).toBeLessThan(4000);
    expect(received.flatMap((batch) => spansOf(batch.request))).toEqual(spansOf(request));
    await exporter.close();
  });

  it("sends a span alone that is larger than a request should be", async () => {
    const { url, received } = await collect();
    const { exporter } = open(url, { maxBatchBytes: 1 });
    await exporter.export(await trace("a"));
    await exporter.export(await trace("b"));
    await exporter.close();
    expect(received).toHaveLength(2);
  });
});

describe("an OTLP collector in trouble", () => {
  it.each([429, 502, 503, 504])("is asked again after %i, ever later", async (status) => {
    const { url, received } = await collect((response, number) =>
      number < 4 ? answer(status)(response) : accept(response),
    );
    const clock = hastyClock();
    const { exporter, told } = open(url, { clock });
    await exporter.export(await trace());
    await exporter.flush();
    expect(received).toHaveLength(4);
    expect(clock.delays).toHaveLength(3);
    for (const [index, delayMs] of clock.delays.entries()) {
      expect(delayMs).toBeGreaterThanOrEqual(250 * 2 ** index);
      expect(delayMs).toBeLessThanOrEqual(500 * 2 ** index);
    }
    expect({ told, failures: exporter.failures }).toEqual({ told: [], failures: 0 });
    await exporter.close();
  });

  it("is left alone for as long as it asks", async () => {
    const { url } = await collect((response, number) =>
      number === 1 ? answer(503, "", { "retry-after": "7" })(response) : accept(response),
    );
    const clock = hastyClock();
    const { exporter } = open(url, { clock });
    await exporter.export(await trace());
    await exporter.flush();
    expect(clock.delays).toEqual([7000]);
    expect(exporter.failures).toBe(0);
    await exporter.close();
  });

  it("is given up when it asks for more time than there is", async () => {
    const { url, received } = await collect(answer(429, "", { "retry-after": "3600" }));
    const { exporter, told } = open(url, { clock: hastyClock() });
    await exporter.export(await trace());
    await exporter.flush();
    expect(received).toHaveLength(1);
    expect(told).toEqual([
      `${url}/v1/traces: answered 429; 1 span was not exported. What next: see its log and its limits.`,
    ]);
    await exporter.close();
  });

  it("is given up after a while, and that is said once", async () => {
    const { url, received } = await collect(answer(503, JSON.stringify({ message: "no disk\n left" })));
    const { exporter, told } = open(url, { clock: hastyClock(), maxBatchBytes: 1 });
    await exporter.export(await trace("a"));
    await exporter.export(await trace("b"));
    await exporter.flush();
    expect(received.length).toBeGreaterThan(10);
    expect(exporter.failures).toBe(2);
    expect(told).toEqual([
      expect.stringContaining("/v1/traces: answered 503: no disk left; 1 span was not exported."),
    ]);
    await exporter.close();
    expect(told.slice(1)).toEqual([
      `${url}/v1/traces: did not recover; 1 more span was not exported meanwhile.`,
    ]);
  });

  it.each([
    [400, "it may not take OTLP in JSON"],
    [401, "check the headers that carry the key"],
    [404, "check the path"],
    [413, "send smaller batches"],
    [500, "see its log"],
  ])("is not asked again after %i", async (status, next) => {
    const { url, received } = await collect(answer(status, "no"));
    const clock = hastyClock();
    const { exporter, told } = open(url, { clock });
    await exporter.export(await trace());
    await exporter.flush();
    expect({ asked: received.length, delays: clock.delays, failures: exporter.failures }).toEqual({
      asked: 1,
      delays: [],
      failures: 1,
    });
    expect(told[0]).toContain(`answered ${status}: no; 1 span was not exported. What next: ${next}`);
    await exporter.close();
  });

  it("cannot send the spans, and the key with them, elsewhere", async () => {
    const elsewhere = await collect();
    const { url } = await collect(answer(307, "", { location: `${elsewhere.url}/v1/traces` }));
    const { exporter, told } = open(url, { headers: { authorization: "Bearer key-123456" } });
    await exporter.export(await trace());
    await exporter.close();
    expect(elsewhere.received).toEqual([]);
    expect(told[0]).toContain("redirects (307), which is not followed");
  });

  it("that rejects a part is believed, and not asked again", async () => {
    const partialSuccess = { rejectedSpans: "1", errorMessage: "too old" };
    const { url, received } = await collect(answer(200, JSON.stringify({ partialSuccess })));
    const { exporter, told } = open(url);
    await exporter.export(await trace());
    await exporter.close();
    expect(received).toHaveLength(1);
    expect(exporter.failures).toBe(1);
    expect(told[0]).toContain("rejected spans: too old; 1 span was not exported.");
  });

  it("that only warns has all the spans", async () => {
    const body = JSON.stringify({ partialSuccess: { errorMessage: "move to v2" } });
    const { url } = await collect(answer(200, body));
    const { exporter, told } = open(url);
    await exporter.export(await trace());
    await exporter.close();
    expect({ told, failures: exporter.failures }).toEqual({
      told: [`${url}/v1/traces: took the spans and says: move to v2`],
      failures: 0,
    });
  });

  it.each(["", "OK", "[1]", "null"])("that answers 200 with %j has all the spans", async (body) => {
    const { url } = await collect(answer(200, body));
    const { exporter, told } = open(url);
    await exporter.export(await trace());
    await exporter.close();
    expect({ told, failures: exporter.failures }).toEqual({ told: [], failures: 0 });
  });

  it("cannot fill the memory with its answer, or get the key into a message", async () => {
    const endless = await collect((response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
      };
      response.on("drain", more);
      more();
    });
    const flooded = open(endless.url);
    await flooded.exporter.export(await trace());
    await flooded.exporter.close();
    expect(flooded.told[0]).toContain("answered with more than 4 MiB");

    const echo = await collect(answer(400, `bad key key-123456 \u001b[31m${"y".repeat(9999)}`));
    const echoed = open(echo.url, { headers: { authorization: "Bearer key-123456" } });
    await echoed.exporter.export(await trace());
    await echoed.exporter.close();
    expect(echoed.told[0]).toContain("answered 400: bad key *** [31my");
    expect(echoed.told[0]?.length).toBeLessThan(500);
  });
});

describe("an OTLP collector that does not answer", () => {
  it("costs no run anything, and is reported once", async () => {
    const gone = await serveSocket(() => undefined);
    await gone.close();
    const { url } = gone;
    const { exporter, told } = open(url, { clock: hastyClock() });
    await exporter.export(await trace("a"));
    await exporter.flush();
    await exporter.export(await trace("b"));
    await exporter.flush();
    expect(exporter.failures).toBe(2);
    expect(told).toEqual([
      `${url}/v1/traces: refused the connection; 1 span was not exported. ` +
        "What next: start a collector there, or change the address.",
    ]);
    await exporter.close();
  });

  it("is tried again when the connection breaks", async () => {
    let connections = 0;
    const { url } = await serveSocket((socket) => {
      connections++;
      if (connections === 1) socket.destroy();
      else socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"));
    });
    const { exporter, told } = open(url, { clock: hastyClock() });
    await exporter.export(await trace());
    await exporter.flush();
    expect({ connections, told, failures: exporter.failures }).toEqual({
      connections: 2,
      told: [],
      failures: 0,
    });
    await exporter.close();
  });

  it("is given up at the time limit", async () => {
    const { url } = await serveSocket(() => undefined);
    const { exporter, told } = open(url, { timeoutMs: 20, retryForMs: 0 });
    await exporter.export(await trace());
    await exporter.flush();
    expect(told[0]).toContain("did not answer within 0.02 s; 1 span was not exported.");
    await exporter.close();
  });

  it("delays closing only up to the limit, and its request is aborted", async () => {
    const arrived = deferred();
    const broken = deferred();
    const { url } = await serveSocket((socket) => {
      socket.once("close", () => broken.resolve());
      socket.once("data", () => arrived.resolve());
    });
    const { exporter, told } = open(url, { closeTimeoutMs: 30, maxBatchBytes: 1 });
    for (const id of ["a", "b", "c"]) await exporter.export(await trace(id));
    await arrived.promise;
    await exporter.close();
    expect(told).toEqual([expect.stringContaining("did not answer in time; 3 spans were not exported.")]);
    await broken.promise;
  });

  it("does not delay closing for a retry that would come too late", async () => {
    const { url } = await collect(answer(503, "", { "retry-after": "3600" }));
    const { exporter } = open(url);
    await exporter.export(await trace());
    await exporter.close();
    expect(exporter.failures).toBe(1);
  });
});

describe("the queue of the OTLP exporter", () => {
  it("is bounded: what does not fit is dropped and said", async () => {
    const gate = deferred();
    const { url, received } = await collect((response) => void gate.promise.then(() => accept(response)));
    const { exporter, told } = open(url, { maxQueueBytes: 2000 });
    await exporter.export(await trace("first"));
    await eventually(() => expect(received).toHaveLength(1));
    for (let index = 0; index < 20; index++) await exporter.export(await trace(`run-${index}`));
    expect(told[0]).toContain("is slower than the runs, and the queue is full; 1 span was not exported.");
    gate.resolve();
    await exporter.close();
    const arrived = received.flatMap(({ request }) => spansOf(request)).length;
    expect(arrived).toBeGreaterThan(1);
    expect(arrived + exporter.failures).toBe(21);
  });

  it("takes nothing after closing", async () => {
    const { url, received } = await collect();
    const { exporter, told } = open(url);
    await exporter.close();
    await exporter.export(await trace());
    await exporter.close();
    expect(received).toEqual([]);
    expect(told[0]).toContain("the exporter is closed");
  });

  it("survives a reporter that throws", async () => {
    const { url, received } = await collect((response, number) =>
      number === 1 ? answer(400)(response) : accept(response),
    );
    const report = (): never => {
      throw new Error("no terminal");
    };
    const { exporter } = open(url, { report });
    await exporter.export(await trace("a"));
    await exporter.flush();
    await exporter.export(await trace("b"));
    await exporter.close();
    expect(received).toHaveLength(2);
  });
});
