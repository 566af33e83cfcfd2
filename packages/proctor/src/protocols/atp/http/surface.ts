// Lets ATP clients drive the hub's agents over HTTP: /execute answers with the response, /execute/stream with events as they
// come. What a request may say is terms.ts; whatever is refused is refused in ATP's words.
import { ProctorError, type ErrorCode } from "../../../core/errors.ts";
import { refusal, taskIdOf, type Execution } from "../execution.ts";
import type { AtpSurfaceOptions } from "../surface-setting.ts";
import { eventBody } from "./event-body.ts";
import { ATP_JSON, EVENT_STREAM, type JsonType } from "./media.ts";
import { readMessage } from "./read-message.ts";
import { readTerms } from "./terms.ts";

export interface HttpCall {
  agent: string;
  /** It came to /execute/stream. */
  stream: boolean;
  traceId: string;
}

export interface HttpSurface {
  /** Throws only what is a bug. */
  fetch(request: Request, call: HttpCall): Promise<Response>;
}

const LEFT = "the client disconnected";
/** What servers log for a client that did not wait; nobody receives it. */
const CLIENT_LEFT_STATUS = 499;

export function createHttpSurface(setting: AtpSurfaceOptions): HttpSurface {
  const { executions, stopping, keepAliveMs, report } = setting;

  async function answer(request: Request, call: HttpCall, known: Known): Promise<Response> {
    const terms = readTerms(request, call.stream);
    known.type = terms.type;
    if (stopping.aborted) throw shuttingDown();
    const body = await readMessage(request);
    known.taskId = taskIdOf(body);
    if (request.signal.aborted && !terms.keep) return clientLeft();
    const { agent, traceId } = call;
    const execution =
      terms.after === undefined
        ? await executions.start(agent, body, { traceId })
        : await executions.find(agent, known.taskId ?? missingTaskId());
    const fail = (problem: unknown): void => report(problem, execution.runId);
    const cancel = async (): Promise<void> => {
      // Where even this fails, the task's own time limit ends it.
      if (!terms.keep) await execution.cancel(LEFT).catch(fail);
    };
    if (!call.stream) return respond(execution, request.signal, terms.type, cancel);
    const stream = eventBody(execution, {
      after: terms.after ?? -1,
      keepAliveMs,
      stopping,
      client: request.signal,
      onLeave: () => void cancel(),
      onFailure: fail,
      traceId,
    });
    return new Response(stream, {
      headers: { ...headersOf(EVENT_STREAM, execution), "x-accel-buffering": "no" },
    });
  }

  /** Waits for the task's end, the client's leave, or the hub's. */
  async function respond(
    execution: Execution,
    client: AbortSignal,
    type: JsonType,
    cancel: () => Promise<void>,
  ): Promise<Response> {
    const waiting = new AbortController();
    const stop = (): void => waiting.abort();
    if (client.aborted || stopping.aborted) stop();
    client.addEventListener("abort", stop);
    stopping.addEventListener("abort", stop);
    try {
      const text = await execution.response(waiting.signal);
      return new Response(text, { headers: headersOf(type, execution) });
    } catch (error) {
      if (stopping.aborted) return refuse(stoppedEarly(execution), { type, taskId: execution.taskId });
      if (!client.aborted) throw error;
      await cancel();
      return clientLeft();
    } finally {
      client.removeEventListener("abort", stop);
      stopping.removeEventListener("abort", stop);
    }
  }

  return {
    async fetch(request, call) {
      const known: Known = { type: ATP_JSON, taskId: undefined };
      try {
        return await answer(request, call, known);
      } catch (error) {
        if (ProctorError.is(error)) return refuse(error, known);
        throw error;
      }
    },
  };
}

/** What is known of a request by the time it is refused. */
interface Known {
  type: JsonType;
  taskId: string | undefined;
}

function refuse(error: ProctorError, { type, taskId }: Known): Response {
  return new Response(JSON.stringify(refusal(error, taskId)), {
    status: error.status,
    headers: { "content-type": type, "cache-control": "no-store", ...HEADERS[error.code] },
  });
}

const HEADERS: Partial<Record<ErrorCode, Record<string, string>>> = {
  METHOD_NOT_ALLOWED: { allow: "POST" },
  // The rest of the body is not waited for.
  PAYLOAD_TOO_LARGE: { connection: "close" },
  STORE_UNAVAILABLE: { "retry-after": "1" },
};

function headersOf(type: string, { runId }: Execution): Record<string, string> {
  return { "content-type": type, "cache-control": "no-store", "x-proctor-run": runId };
}

function clientLeft(): Response {
  return new Response(null, { status: CLIENT_LEFT_STATUS });
}

function shuttingDown(): ProctorError {
  return new ProctorError("SHUTTING_DOWN", "the hub is stopping\nsend the task again in a moment");
}

/** The task was started: what becomes of it is in its run, and sending it again would start another. */
function stoppedEarly({ runId }: Execution): ProctorError {
  return new ProctorError(
    "SHUTTING_DOWN",
    `the hub stopped before the task ended\nlook at run ${runId} when it is back`,
    {
      details: { run_id: runId },
    },
  );
}

function missingTaskId(): never {
  throw new ProctorError(
    "INVALID_REQUEST",
    "task_id is missing\nsend the one of the task that is to be continued",
  );
}
