// Drives an agent behind a JSON endpoint: one request for each task, one answer or one stream of it. To leave is how HTTP cancels. What
// is sent is codec.ts, what an answer says hear-answer.ts; connections are channels/http.
import { createHttpClient, type HttpClient, type HttpClientOptions } from "../../channels/http/client.ts";
import type { Exchange } from "../../channels/http/exchange.ts";
import { troubleFailure, type Asked } from "../../channels/http/failures.ts";
import { failure, type Failure } from "../../core/failure.ts";
import type { AgentDriver, AgentReport, Job, StopSignals } from "../../core/ports/driver.ts";
import { traceparentOf } from "../../runtime/span-ids.ts";
import type { Finding } from "../../runtime/yaml/findings.ts";
import { agentEndpoint } from "../agent-endpoint.ts";
import { leaveOnStop } from "../leave-on-stop.ts";
import { turnsOf } from "../turns.ts";
import { tapped, type WireTap } from "../wire-tap.ts";
import { encodeRequest, fillValuesOf, sendsHistory, type RestRequest } from "./codec.ts";
import { hearAnswer } from "./hear-answer.ts";
import { readRestOptions, type RestOptions } from "./options.ts";

export interface RestDriverOptions extends HttpClientOptions {
  /** Client that makes the requests; one on the network when absent. */
  client?: HttpClient;
}

export function createRestDriver(options: RestDriverOptions = {}): AgentDriver {
  const client = options.client ?? createHttpClient(options);
  return {
    talks: { follows: true },
    open: (job, signals) => tapped(job, (tap) => converse(client, job, signals, tap)),
  };
}

async function* converse(
  client: HttpClient,
  job: Job,
  signals: StopSignals,
  tap: WireTap | undefined,
): AsyncGenerator<AgentReport> {
  const checked = readRestOptions(job.spec.options ?? {});
  if (!checked.ok) return yield failed(wrongOptions(checked.findings));
  const endpoint = agentEndpoint(job.spec, traceparentOf(job));
  if ("refused" in endpoint) return yield failed(endpoint.refused);
  const options = checked.value;
  const leaving = leaveOnStop(signals, tap);
  let heard = false;
  try {
    const history = sendsHistory(job, options) ? await turnsOf(job) : [];
    const request = encodeRequest(endpoint.url, job, options, fillValuesOf(job, options, history));
    const asked: Asked = { name: `the ${request.method} request`, url: request.url };
    tap?.sent("request", request.content ?? "", { name: request.method });
    const headers = { accept: acceptOf(options), ...endpoint.headers };
    const exchanged = await send(client, request, headers, leaving.signal);
    if (exchanged.kind === "failed") {
      yield leaving.signal.aborted ? CANCELLED : failed(troubleFailure(exchanged.trouble, asked));
    } else {
      for await (const report of hearAnswer(exchanged.answer, asked, options, tap)) {
        const isEnd = report.kind === "end" && report.end.status === "failed";
        yield isEnd && leaving.signal.aborted ? CANCELLED : report;
      }
    }
    heard = true;
  } finally {
    leaving.close(heard);
  }
}

const CANCELLED: AgentReport = { kind: "end", end: { status: "cancelled" } };

function send(
  client: HttpClient,
  { method, url, content }: RestRequest,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Exchange> {
  if (method === "GET" || content === undefined) return client.get({ url, headers }, signal);
  const described = { ...headers, "content-type": "application/json" };
  return client.post({ url, method, content, headers: described }, signal);
}

function acceptOf({ stream }: RestOptions): string {
  if (stream === undefined) return "application/json";
  return stream === "sse" ? "text/event-stream, application/json" : "application/x-ndjson, application/json";
}

function wrongOptions([first]: readonly Finding[]): Failure {
  const hint = first?.hint === undefined ? "" : ` (${first.hint})`;
  return failure("INVALID_REQUEST", `the agent's options: ${first?.message ?? "they cannot be read"}${hint}`);
}

function failed(why: Failure): AgentReport {
  return { kind: "end", end: { status: "failed", failure: why } };
}
