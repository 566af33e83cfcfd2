// An envelope, the run that it starts, and what the run's agent calls, as an OpenTelemetry collector gets them.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readSse } from "../src/channels/sse/read-sse.ts";
import { openTraces } from "../src/cli/compose/open-traces.ts";
import { createHttpHub } from "../src/hub/http-hub.ts";
import type { OtlpSpan, OtlpTraceRequest } from "../src/telemetry/otlp/otlp.ts";
import { HANG_MS } from "./support/eventually.ts";
import { spansOf } from "./support/otlp/runs.ts";
import { serveHub } from "./support/serve-hub.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const AGENT = `
let text = "";
for await (const chunk of process.stdin) text += chunk;
const { task_id, context } = JSON.parse(text);
const headers = { "content-type": "application/json" };
await fetch(context.tools_endpoint + "/search", { method: "POST", headers, body: JSON.stringify({ task_id, input: {} }) });
const { LLM_API_URL, LLM_API_KEY, LLM_MODEL, TRACEPARENT } = process.env;
await fetch(LLM_API_URL + "/chat/completions", {
  method: "POST",
  headers: { ...headers, authorization: "Bearer " + LLM_API_KEY },
  body: JSON.stringify({ model: LLM_MODEL, messages: [{ role: "user", content: "hello" }] }),
});
const artifacts = [{ type: "structured", name: "result", data: { output: TRACEPARENT } }];
console.log(JSON.stringify({ version: "1.0", task_id, status: "completed", artifacts, metrics: {} }));
`;
const CLIENT = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };

let collector: Server;
let address: string;
const received: OtlpTraceRequest[] = [];
beforeAll(async () => {
  collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const plain = request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
      received.push(JSON.parse(plain.toString()) as OtlpTraceRequest);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
afterAll(() => void collector.close());

it(
  "An envelope, its run, and the run's calls of a tool and a model are one trace with the right parents",
  { timeout: HANG_MS },
  async () => {
    const program = join(temporaryFolder("one-trace"), "agent.mjs");
    writeFileSync(program, AGENT);
    const served = await serveHub({ open: true });
    const agent = { protocol: "atp", transport: "stdio", command: [process.execPath, program] };
    await served.send("POST", "/agents", { json: { name: "worker", ...agent } });
    const sent = await served.send("POST", "/messages", {
      headers: { traceparent: `00-${CLIENT.traceId}-${CLIENT.spanId}-01` },
      json: {
        id: "e-1",
        from: "user:ada",
        to: "worker",
        type: "request",
        action: "execute",
        payload: {
          task: "search",
          options: { llm: {}, tools: { tools: [{ name: "search", default: { output: 1 } }] } },
        },
      },
    });
    const { run_id: runId } = (await sent.json()) as { run_id: string };
    const hub = createHttpHub({ url: served.url, readSse });
    for await (const { type } of hub.follow(runId, -1, AbortSignal.timeout(HANG_MS)))
      if (type === "run.ended") break;
    const run = await hub.run(runId);
    const traces = openTraces({ url: address, report: (problem) => expect(problem).toBe("") });
    await traces.send(run, hub.follow(runId, -1, AbortSignal.timeout(HANG_MS)));
    await traces.close();

    const spans = received.flatMap(spansOf);
    const named = (name: RegExp): OtlpSpan | undefined => spans.find((span) => name.test(span.name));
    const [envelope, root] = [named(/^envelope execute$/), named(/^invoke_agent worker$/)];
    const [tool, model] = [named(/^execute_tool search$/), named(/^chat/)];
    expect(spans).toHaveLength(4);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([CLIENT.traceId]));
    expect(envelope).toMatchObject({ parentSpanId: CLIENT.spanId, kind: 5 });
    expect(root?.parentSpanId).toBe(envelope?.spanId);
    expect([tool?.parentSpanId, model?.parentSpanId]).toEqual([root?.spanId, root?.spanId]);
    // What the agent itself would export stands below the run.
    expect(run.artifacts).toMatchObject([{ data: { output: `00-${CLIENT.traceId}-${root?.spanId}-01` } }]);
  },
);
