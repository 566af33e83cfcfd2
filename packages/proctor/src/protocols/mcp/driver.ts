// Drives an MCP server: a run is the call of one of its tools. To leave, with word of it, is how a call is cancelled.
import { createHttpClient, type HttpClient } from "../../channels/http/client.ts";
import { failure, type Failure } from "../../core/failure.ts";
import type { AgentDriver, AgentReport, Job, StopSignals } from "../../core/ports/driver.ts";
import { traceparentOf } from "../../runtime/span-ids.ts";
import { agentEndpoint } from "../agent-endpoint.ts";
import { leaveOnStop } from "../leave-on-stop.ts";
import { logReport, violationReport } from "../reports.ts";
import { tapped, type WireTap } from "../wire-tap.ts";
import { decodeNotification, decodeResult, encodeCall, failed, type ToolCall } from "./codec.ts";
import { readMcpOptions, type McpOptions } from "./options.ts";
import { openSession, type Answer, type McpSession, type Said } from "./session.ts";

const CANCELLED: AgentReport = { kind: "end", end: { status: "cancelled" } };
const MAX_GARBAGE_CHARS = 8000;
/** Milliseconds for the last request to a server that is left. */
const FAREWELL_MS = 1000;

export function createMcpDriver(client: HttpClient = createHttpClient()): AgentDriver {
  return { open: (job, signals) => tapped(job, (tap) => converse(client, job, signals, tap)) };
}

async function* converse(
  client: HttpClient,
  job: Job,
  signals: StopSignals,
  tap: WireTap | undefined,
): AsyncGenerator<AgentReport> {
  const options = optionsOf(job);
  if ("refused" in options) return yield failed(options.refused);
  const call = encodeCall(job, options);
  if ("refused" in call) return yield failed(call.refused);
  const endpoint = agentEndpoint(job.spec, traceparentOf(job));
  if ("refused" in endpoint) return yield failed(endpoint.refused);
  const leaving = leaveOnStop(signals, tap);
  const { signal } = leaving;
  let session: McpSession | undefined;
  let heard = false;
  try {
    const opened = await openSession({ client, ...endpoint, tap }, signal);
    if ("refused" in opened) return yield* refused(opened.refused, signal);
    ({ session } = opened);
    const answer = yield* carryOut(session, call, job.runId, signal);
    heard = answer.ok || !signal.aborted;
    if (!answer.ok) return yield* refused(answer, signal);
    yield* decodeResult(call.name, answer.result);
  } finally {
    leaving.close(heard);
    if (session) await farewell(session, heard, signals.kill);
  }
}

async function* carryOut(
  session: McpSession,
  { name, input }: ToolCall,
  progressToken: string,
  signal: AbortSignal,
): AsyncGenerator<AgentReport, Answer> {
  const params = { name, arguments: input, _meta: { progressToken } };
  const asking = session.ask("tools/call", params, signal);
  for (;;) {
    const step = await asking.next();
    if (step.done === true) return step.value;
    yield* reportsOf(step.value);
  }
}

function reportsOf(said: Said): AgentReport[] {
  if ("notification" in said) return decodeNotification(said.notification);
  const { garbage } = said;
  return [
    violationReport({ rule: "mcp.json", message: "not a JSON object", where: "stream", owner: "proctor" }),
    logReport(garbage.slice(0, MAX_GARBAGE_CHARS), Math.max(0, garbage.length - MAX_GARBAGE_CHARS)),
  ];
}

function* refused(
  { failure: why, reports = [] }: Answer & { ok: false },
  signal: AbortSignal,
): Generator<AgentReport> {
  if (signal.aborted) return yield CANCELLED;
  yield* reports;
  yield failed(why);
}

/** Tells a server that is left in the middle of a call, so that it can stop its tool; then gives its session back. */
async function farewell(session: McpSession, heard: boolean, kill: AbortSignal): Promise<void> {
  const stop = AbortSignal.any([kill, AbortSignal.timeout(FAREWELL_MS)]);
  if (!heard) {
    await session.tell("notifications/cancelled", { requestId: session.lastId(), reason: "cancelled" }, stop);
  }
  await session.close(stop);
}

function optionsOf({ spec }: Job): McpOptions | { refused: Failure } {
  const checked = readMcpOptions(spec.options ?? {});
  if (checked.ok) return checked.value;
  const [first] = checked.findings;
  return {
    refused: failure("INVALID_REQUEST", `the agent's options: ${first?.message ?? "they cannot be read"}`),
  };
}
