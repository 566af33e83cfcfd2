// Lets ATP clients drive the hub's agents over HTTP: /execute answers with the response, /execute/stream with events as they
// come. What a request asks for beside its task is read-preferences.ts; whatever is refused is refused in ATP's words.
import { z } from "zod";
import { joinSignals } from "../../../core/join-signals.ts";
import { ProctorError } from "../../../core/errors.ts";
import { originWithin } from "../../../core/trace.ts";
import { readJson } from "../../../runtime/http/read-json.ts";
import { errorHeaders, type PlainHeaders } from "../../../runtime/http/respond.ts";
import type { Route, RouteCall } from "../../../runtime/http/route.ts";
import { sseBody } from "../../../runtime/http/sse-body.ts";
import { refusal, taskIdOf, type Execution, type ExecutionMessage } from "../execution.ts";
import {
  ATP_TAG,
  AtpEventBody,
  AtpRequestBody,
  AtpResponseBody,
  DisconnectQuery,
  EXAMPLE_REQUEST,
  JSON_TYPES,
  REFUSALS,
  REQUEST_HEADERS,
  RUN_HEADER,
} from "../route-schemas.ts";
import type { AtpSurfaceOptions } from "../surface-options.ts";
import { ATP_JSON, EVENT_STREAM, PLAIN_JSON, type JsonType } from "./media.ts";
import { readPreferences } from "./read-preferences.ts";

const MAX_REQUEST_BYTES = 10 * 1024 * 1024;
const TYPES = `\`${PLAIN_JSON}\` and \`${ATP_JSON}\` are both spoken.`;
const LEFT = "the client disconnected";
/** Status that servers log for a client that did not wait; no client receives it. */
const CLIENT_LEFT_STATUS = 499;

export function httpRoutes(options: AtpSurfaceOptions): Route[] {
  const { executions, stopping, keepAliveMs, report } = options;

  async function answer(
    { request, params, traceId, caller }: RouteCall,
    stream: boolean,
    known: Known,
  ): Promise<Response> {
    const { type, keep, after } = readPreferences(request, stream);
    known.type = type;
    if (stopping.aborted) throw shuttingDown();
    const body = await readJson(request, { limitBytes: MAX_REQUEST_BYTES });
    known.taskId = taskIdOf(body);
    if (request.signal.aborted && !keep) return clientLeft();
    const agent = params["agent"] ?? "";
    const execution =
      after === undefined
        ? await executions.start(agent, body, {
            ...originWithin(traceId, request.headers.get("traceparent")),
            ...(caller && { caller }),
          })
        : await executions.find(agent, known.taskId ?? missingTaskId());
    const fail = (problem: unknown): void => report(problem, execution.runId);
    const cancel = async (): Promise<void> => {
      // Where even this fails, the task's own time limit ends it.
      if (!keep) await execution.cancel(LEFT).catch(fail);
    };
    if (!stream) return respond(execution, request.signal, type, cancel);
    let answered = false;
    const frames = sseBody(({ signal }) => execution.messages(after ?? -1, signal), {
      encode(page) {
        answered = page.at(-1)?.kind === "response";
        return page.map(encodeMessage).join("");
      },
      keepAliveMs,
      stops: [stopping],
      client: request.signal,
      onClose(how) {
        // A connection that a stopping hub cuts is not one that the client left.
        if (how === "left" && !answered && !stopping.aborted) void cancel();
      },
      onFailure(problem) {
        fail(problem);
        return { comment: `broken off, trace ${traceId}` };
      },
    });
    return new Response(frames, {
      headers: { ...headersOf(EVENT_STREAM, execution), "x-accel-buffering": "no" },
    });
  }

  /** Waits for the task's end, the client's leave, or the hub's end. */
  async function respond(
    execution: Execution,
    client: AbortSignal,
    type: JsonType,
    cancel: () => Promise<void>,
  ): Promise<Response> {
    const waiting = joinSignals([client, stopping]);
    try {
      const text = await execution.response(waiting.signal);
      return new Response(text, { headers: headersOf(type, execution) });
    } catch (error) {
      if (stopping.aborted) return refuse(stoppedEarly(execution), { type, taskId: execution.taskId });
      if (!client.aborted) throw error;
      await cancel();
      return clientLeft();
    } finally {
      waiting.release();
    }
  }

  const handle = (stream: boolean) => async (call: RouteCall) => {
    const known: Known = { type: ATP_JSON, taskId: undefined };
    try {
      return await answer(call, stream, known);
    } catch (error) {
      if (ProctorError.is(error)) return refuse(error, known);
      throw error;
    }
  };

  return [
    {
      id: "executeAtpTask",
      method: "POST",
      path: "/atp/{agent}/execute",
      scope: "runs:write",
      tag: ATP_TAG,
      summary: "Have an agent do a task",
      description: `Answers when the task has ended. ${TYPES}`,
      query: DisconnectQuery,
      headers: REQUEST_HEADERS,
      body: { schema: AtpRequestBody, required: true, example: EXAMPLE_REQUEST },
      responses: {
        200: {
          description: "How it ended.",
          schema: AtpResponseBody,
          types: JSON_TYPES,
          headers: RUN_HEADER,
          example: {
            version: "1.0",
            task_id: EXAMPLE_REQUEST.task_id,
            status: "completed",
            artifacts: [{ type: "structured", name: "result", data: { output: "…" } }],
            metrics: { total_steps: 1, wall_time_seconds: 0.8 },
          },
        },
        ...REFUSALS,
      },
      handle: handle(false),
    },
    {
      id: "streamAtpTask",
      method: "POST",
      path: "/atp/{agent}/execute/stream",
      scope: "runs:write",
      tag: ATP_TAG,
      summary: "Have an agent do a task, and watch",
      description: `Frames named \`event\` hold an event, the last one, named \`response\`, the response. ${TYPES}`,
      query: DisconnectQuery,
      headers: {
        ...REQUEST_HEADERS,
        "Last-Event-ID": "Go on with an earlier request's task after this event, instead of starting one.",
      },
      body: { schema: AtpRequestBody, required: true, example: EXAMPLE_REQUEST },
      responses: {
        200: {
          description: "The stream.",
          frames: z.union([AtpEventBody, AtpResponseBody]),
          headers: RUN_HEADER,
        },
        ...REFUSALS,
      },
      handle: handle(true),
    },
  ];
}

/** Facts about a request that are known when it is refused. */
interface Known {
  type: JsonType;
  taskId: string | undefined;
}

export function refuse(error: ProctorError, { type, taskId }: Known, headers?: PlainHeaders): Response {
  return new Response(JSON.stringify(refusal(error, taskId)), {
    status: error.status,
    headers: { "content-type": type, "cache-control": "no-store", ...errorHeaders(error), ...headers },
  });
}

/** Written by hand, because the text of a message is JSON on one line and needs none of the care that other data does. */
function encodeMessage(message: ExecutionMessage): string {
  return message.kind === "event"
    ? `id: ${message.sequence}\nevent: event\ndata: ${message.text}\n\n`
    : `event: response\ndata: ${message.text}\n\n`;
}

function headersOf(type: string, { runId }: Execution): Record<string, string> {
  return { "content-type": type, "cache-control": "no-store", "x-proctor-run": runId };
}

function clientLeft(): Response {
  return new Response(null, { status: CLIENT_LEFT_STATUS });
}

function shuttingDown(): ProctorError {
  return new ProctorError("SHUTTING_DOWN", "the hub is stopping\nsend the task again in a moment");
}

/** Returns the error for a task that was started: its result is in its run, and sending it again would start another. */
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
