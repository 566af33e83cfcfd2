// Drives an ATP agent over gRPC, HTTP/2 in the clear: asks for a stream of events, and for the response alone where there is
// no stream. `Cancel` asks it to stop; where there is no such method, the call itself is cancelled.
import { messageOf, nodeCode, unreachable } from "../../../channels/grpc/call-failure.ts";
import { createGrpcClient, type GrpcClient, type GrpcClientOptions } from "../../../channels/grpc/client.ts";
import { ProtoFormatError } from "../../../channels/grpc/proto-reader.ts";
import { failure, type Failure } from "../../../core/failure.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { AgentDriver, AgentReport, Job, StopSignals } from "../../../core/ports/driver.ts";
import { timeoutMs } from "../../../core/task.ts";
import { encodeRequest } from "../codec.ts";
import { tapped, type WireTap } from "../../wire-tap.ts";
import { createDialogue, type Dialogue } from "../dialogue.ts";
import { endOf, isAbsent } from "./failures.ts";
import { decodeResponseMessage, decodeStreamMessage, encodeRequestMessage } from "./messages.ts";
import { metadataOf } from "./metadata.ts";
import { noteEnd } from "./note-end.ts";
import { AGENT_SERVICE, type AgentService, type ShallowRequest } from "./service.ts";
import { meaningOf } from "./status.ts";

/** Milliseconds after the engine's own deadline and its grace; this one is for when the engine can no longer keep them. */
const DEADLINE_MARGIN_MS = 30_000;

export interface GrpcDriverOptions extends Omit<GrpcClientOptions, "url"> {
  /** Milliseconds that the agent may take to say that it will stop; 2000 when absent. */
  cancelTimeoutMs?: number;
  /** Milliseconds that it may take to end the stream after its response; 1000 when absent. */
  lingerMs?: number;
  /** Client that makes the call; one on the network when absent. */
  client?: GrpcClient<AgentService>;
}

export function createGrpcDriver(options: GrpcDriverOptions = {}): AgentDriver {
  return {
    open: (job, signals) => tapped(job, (tap) => converse(job, signals, options, tap)),
  };
}

async function* converse(
  job: Job,
  signals: StopSignals,
  options: GrpcDriverOptions,
  tap: WireTap | undefined,
): AsyncGenerator<AgentReport> {
  const { cancelTimeoutMs = 2000, lingerMs = 1000 } = options;
  const dialogue = createDialogue(job);
  const origin = job.spec.url ?? "";
  const prepared = prepare(job, options);
  if ("refused" in prepared) return yield* dialogue.conclude(prepared.refused);
  const { headers, request, client } = prepared;
  const { connect, service, distrust } = client;
  const leaving = new AbortController();
  const { signal } = leaving;
  const deadline = Date.now() + timeoutMs(job.constraints) + DEADLINE_MARGIN_MS;
  let calling = false;
  let heard = false;
  let lingering: NodeJS.Timeout | undefined;

  const leave = (): void => leaving.abort();
  const ask = (): void => {
    tap?.sent("close", "", { name: "cancel" });
    if (!calling) return leave();
    const asking = service.cancel(
      { taskId: job.runId, reason: "cancelled by the platform" },
      { headers, signal, timeoutMs: cancelTimeoutMs },
    );
    // Cancelling the call says the same to an agent that lacks the method or does not answer.
    asking.catch(leave);
  };
  const terms = (): { headers: Headers; signal: AbortSignal; timeoutMs: number } => ({
    headers,
    signal,
    timeoutMs: Math.max(1, deadline - Date.now()),
  });

  /** Returns the error that ended it, if it did not end by itself. */
  async function* hearStream(): AsyncGenerator<AgentReport, unknown> {
    try {
      for await (const message of service.executeStream(request, terms())) {
        heard = true;
        for (const report of take(dialogue, () => decodeStreamMessage(message), tap)) yield report;
        if (dialogue.answered) lingering ??= setTimeout(leave, lingerMs);
      }
      return undefined;
    } catch (problem) {
      return problem;
    }
  }

  async function* hearResponse(): AsyncGenerator<AgentReport, unknown> {
    try {
      const response = await service.execute(request, terms());
      heard = true;
      yield* take(dialogue, () => ({ kind: "response", json: decodeResponseMessage(response) }), tap);
      return undefined;
    } catch (problem) {
      return problem;
    }
  }

  signals.cancel.addEventListener("abort", ask);
  signals.kill.addEventListener("abort", leave);
  if (signals.cancel.aborted || signals.kill.aborted) {
    tap?.sent("close", "", { name: "cancel" });
    leave();
  }
  try {
    try {
      await connect(signal);
    } catch (problem) {
      tap?.received("close", messageOf(problem), { name: "unreachable", id: nodeCode(problem) ?? "" });
      if (signal.aborted) yield { kind: "end", end: { status: "cancelled" } };
      else yield* dialogue.conclude(unreachable(origin, problem));
      return;
    }
    calling = true;
    tap?.sent("message", JSON.stringify(encodeRequest(job)));
    let trouble = yield* hearStream();
    if (tap) noteEnd(trouble, tap);
    if (!heard && isAbsent(trouble)) {
      trouble = yield* hearResponse();
      if (tap) noteEnd(trouble, tap);
    }
    yield* conclude(dialogue, trouble, { origin, heard, left: signal.aborted });
  } finally {
    clearTimeout(lingering);
    signals.cancel.removeEventListener("abort", ask);
    signals.kill.removeEventListener("abort", leave);
    // The agent was asked to stop and said nothing: its connection may be dead.
    if (signals.kill.aborted && !dialogue.answered) distrust();
    // A reader that stops in the middle ends the call as well.
    leave();
  }
}

interface Prepared {
  client: GrpcClient<AgentService>;
  headers: Headers;
  request: ShallowRequest;
}

function prepare(job: Job, options: GrpcDriverOptions): Prepared | { refused: Failure } {
  const { url = "" } = job.spec;
  if (!/^grpc:\/\/./.test(url) || !URL.canParse(url)) {
    return {
      refused: failure("INVALID_REQUEST", "the agent's url is not grpc://host:port (TLS is not spoken)"),
    };
  }
  const metadata = metadataOf(job);
  if ("refused" in metadata) return metadata;
  try {
    // A request is JSON, which its type does not say.
    const request = encodeRequestMessage(encodeRequest(job) as JsonObject);
    const { client = createGrpcClient(AGENT_SERVICE, { ...options, url }) } = options;
    return { ...metadata, request, client };
  } catch (problem) {
    if (!(problem instanceof ProtoFormatError)) throw problem;
    return { refused: failure("INVALID_REQUEST", `the task cannot be sent over gRPC: ${problem.message}`) };
  }
}

/** Takes one message. One that cannot be read does not end the call. */
function take(
  dialogue: Dialogue,
  decode: () => ReturnType<typeof decodeStreamMessage>,
  tap: WireTap | undefined,
): AgentReport[] {
  try {
    const message = decode();
    tap?.received(
      "message",
      message ? JSON.stringify(message.json) : "",
      message ? { name: message.kind } : {},
    );
    if (message) return dialogue.hear({ json: message.json }, message.kind);
    return dialogue.object({
      rule: "atp.grpc.message",
      message: "a message holds neither an event nor a response",
    });
  } catch (problem) {
    if (!(problem instanceof ProtoFormatError)) throw problem;
    tap?.received("message", "", { encoding: "lossy" });
    return dialogue.object({
      rule: "atp.grpc.message",
      message: `a message cannot be read: ${problem.message}`,
    });
  }
}

function conclude(
  dialogue: Dialogue,
  trouble: unknown,
  { origin, heard, left }: { origin: string; heard: boolean; left: boolean },
): AgentReport[] {
  const silence = failure("NO_RESPONSE", "the agent ended the call without a response");
  if (dialogue.answered) {
    if (trouble === undefined || left) return dialogue.conclude(silence);
    return [...dialogue.object(afterwards(trouble)), ...dialogue.conclude(silence)];
  }
  if (left) return [{ kind: "end", end: { status: "cancelled" } }];
  if (trouble === undefined) return dialogue.conclude(silence);
  const end = endOf(trouble, origin, heard);
  if (end.status === "failed" && end.failure) return dialogue.conclude(end.failure);
  return [{ kind: "end", end }];
}

function afterwards(trouble: unknown): { rule: string; message: string } {
  const code = trouble instanceof Error && "code" in trouble ? Number(trouble.code) : 2;
  return {
    rule: "atp.grpc.status",
    message: `the call ended with ${meaningOf(code).name} after its response`,
  };
}
