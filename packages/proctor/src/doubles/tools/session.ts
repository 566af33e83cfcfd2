// One set of tools at one address: finds the tool, has it answer, reports the call, and only then sends the answer.
import { setMaxListeners } from "node:events";
import type { Clock } from "../../core/ports/clock.ts";
import { createRedactor } from "../../core/redact.ts";
import type { ObservedCall, ToolSet } from "../../core/tools.ts";
import { waitAtMost } from "../../core/wait-at-most.ts";
import { traceparentOf } from "../../runtime/span-ids.ts";
import type { AssertAllowed } from "./allow-hosts.ts";
import { joinSignals } from "../../core/join-signals.ts";
import { offerTools } from "./offer-tools.ts";
import { errorAnswer, type OfferedTool, type ToolAnswer } from "./offered-tool.ts";
import { BadCall, readCall, type ReceivedCall } from "./read-call.ts";
import { answerResponse, listResponse, notAllowed } from "./respond.ts";
import type { ScriptSource } from "./script-tool.ts";
import type { OpenToolPlace, StartProcess } from "./tool-process.ts";
import { toolSecrets } from "./tool-secrets.ts";

export interface SessionOptions {
  /** Id of the run; absent when the tools belong to none. */
  runId?: string;
  /** The trace of that run. */
  traceId?: string;
  tools: ToolSet;
  allowed: readonly string[] | null;
  redact: (text: string) => string;
  onCall: (call: ObservedCall) => Promise<void>;
  clock: Clock;
  assertAllowed: AssertAllowed;
  startProcess: StartProcess;
  openPlace?: OpenToolPlace;
  scripts?: ScriptSource;
}

export interface Session {
  names: readonly string[];
  /** Answers a request; `path` is the part behind the session's address, decoded and without its first slash. */
  fetch(request: Request, path: string): Promise<Response>;
  close(): Promise<void>;
}

/** Calls at once; further calls, and further bytes of calls, are refused until some are done. */
const MAX_CALLS = 1000;
const MAX_HELD_BYTES = 64 * 1024 * 1024;
/** Milliseconds that the end of a session waits for calls that it has cut. */
const CUT_PATIENCE_MS = 1000;
const MAX_NAME_CHARS = 200;
const ENDED = new Error("the run has ended");

interface Outcome {
  answer: ToolAnswer;
  status: number;
}

export async function openSession(options: SessionOptions): Promise<Session> {
  const { runId, clock, allowed } = options;
  const stop = new AbortController();
  // One listener for each call under way.
  setMaxListeners(0, stop.signal);
  const own = createRedactor(toolSecrets(options.tools));
  const redact = (text: string): string => own.text(options.redact(text));
  const offer = await offerTools(options.tools, {
    ...options,
    runId: runId ?? `mock-${process.pid}`,
    redact,
    signal: stop.signal,
  });
  const offered = [...offer.tools.values()].filter(({ name }) => allowed?.includes(name) ?? true);
  const names = offered.map(({ name }) => name);
  const find = (name: string): OfferedTool | undefined => offered.find((tool) => tool.name === name);
  const underWay = new Set<Promise<Response>>();
  let heldBytes = 0;
  let closing: Promise<void> | undefined;

  async function answer(request: Request, path: string): Promise<Response> {
    const startedAt = clock.now();
    const joined = joinSignals([stop.signal, request.signal]);
    const { signal } = joined;
    let mine = 0;
    let call: ReceivedCall | undefined;
    let outcome: Outcome;
    let tool: OfferedTool | undefined;
    let name = isGeneric(path) ? "" : path;
    try {
      call = await readCall(request, signal, (count) => {
        mine += count;
        heldBytes += count;
        if (heldBytes > MAX_HELD_BYTES) throw new BadCall(429, "too many large calls at once");
      });
      name = nameOf(path, call, find);
      tool = find(name);
      outcome = tool
        ? await play(tool, call, request, signal)
        : { answer: notFound(name, names), status: 404 };
    } catch (error) {
      outcome = explain(error, signal);
    } finally {
      joined.release();
      heldBytes -= mine;
    }
    const durationMs = Math.max(0, clock.now() - startedAt);
    return report(observed(name, tool, call, outcome, durationMs), outcome, durationMs);
  }

  async function play(
    tool: OfferedTool,
    { input, taskId }: ReceivedCall,
    { headers }: Request,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const traceparent = traceparentFor(headers.get("traceparent"));
    const known = { input, taskId: taskId ?? runId ?? "", ...(traceparent !== null && { traceparent }) };
    const answer = await tool.call(known, signal);
    const { http_status: httpStatus, ...body } = answer;
    // In the answer of a real tool this is an ordinary field; in that of a mock it is the status, if HTTP has it.
    const played = tool.mode === "mock" && typeof httpStatus === "number" && isHttpStatus(httpStatus);
    return played
      ? { answer: { ...body, status: answer.status }, status: httpStatus }
      : { answer, status: 200 };
  }

  /** Returns the `traceparent` of a call. Tools that belong to no run pass on the one they received. */
  function traceparentFor(received: string | null): string | null {
    const { traceId } = options;
    return runId === undefined || traceId === undefined
      ? received
      : traceparentOf({ runId, traceId }, received);
  }

  /** Records a call before it is answered; a call that cannot be recorded must not be answered. */
  async function report(
    call: ObservedCall,
    { answer, status }: Outcome,
    durationMs: number,
  ): Promise<Response> {
    try {
      await options.onCall(own.value(call));
    } catch {
      return answerResponse(errorAnswer("the call could not be recorded", "INTERNAL_ERROR"), 503, durationMs);
    }
    return answerResponse(answer, status, durationMs);
  }

  function observed(
    name: string,
    tool: OfferedTool | undefined,
    call: ReceivedCall | undefined,
    { answer, status }: Outcome,
    durationMs: number,
  ): ObservedCall {
    const { status: said, output, error, error_code, error_details } = answer;
    const foreign = runId !== undefined && call?.taskId !== undefined && call.taskId !== runId;
    return {
      tool: shownName(name),
      input: call?.input ?? null,
      status: isStandard(said) ? said : redact(said),
      ...(output !== undefined && { output }),
      ...(error !== undefined && { error }),
      ...(error_code !== undefined && { error_code }),
      ...(error_details !== undefined && { error_details }),
      ...(status !== 200 && { http_status: status }),
      duration_ms: durationMs,
      mode: tool?.mode ?? "none",
      ...(call?.callId !== undefined && { call_id: call.callId }),
      ...(foreign && { task_id_mismatch: true }),
    };
  }

  async function close(): Promise<void> {
    stop.abort(ENDED);
    await waitAtMost(clock, CUT_PATIENCE_MS, Promise.allSettled(underWay));
    await offer.close();
  }

  return {
    names,
    async fetch(request, path) {
      if (path === "" || path === "tools") {
        return request.method === "GET" ? listResponse(offered) : notAllowed("GET");
      }
      if (request.method !== "POST") return notAllowed("POST");
      if (underWay.size >= MAX_CALLS) return answerResponse(errorAnswer("too many calls at once"), 429, 0);
      const response = answer(request, path);
      underWay.add(response);
      return response.finally(() => underWay.delete(response));
    },
    close: () => (closing ??= close()),
  };
}

function isHttpStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 200 && status <= 599;
}

/** Whether a status is a standard one; any other is a real tool's own, and may hold anything. */
function isStandard(status: string): boolean {
  return status === "success" || status === "error";
}

/** Whether the path is one at which the body names the tool. */
function isGeneric(path: string): boolean {
  return path === "call" || path === "tools/call";
}

function nameOf(path: string, { tool }: ReceivedCall, find: (name: string) => unknown): string {
  if (!isGeneric(path)) return path;
  if (tool !== undefined) return tool;
  // A tool may have that name.
  if (find(path) !== undefined) return path;
  throw new BadCall(400, `"tool" is missing: here the body names the tool`);
}

/** Shows a name in full or not at all, because half a secret would not be recognised. */
function shownName(name: string): string {
  return name.length > MAX_NAME_CHARS ? `(a name of ${name.length} characters)` : name;
}

function notFound(tool: string, names: readonly string[]): ToolAnswer {
  return errorAnswer(`Tool '${shownName(tool)}' not available`, "TOOL_NOT_FOUND", {
    tool: shownName(tool),
    available_tools: [...names],
  });
}

function explain(error: unknown, signal: AbortSignal): Outcome {
  if (error instanceof BadCall) {
    const code = error.status === 429 ? "TOOL_ERROR" : "INVALID_REQUEST";
    return { answer: errorAnswer(error.message, code), status: error.status };
  }
  if (signal.aborted) {
    const why = signal.reason === ENDED ? ENDED.message : "the caller left before the answer";
    return { answer: errorAnswer(`cut off: ${why}`), status: 503 };
  }
  return { answer: errorAnswer("the tool endpoint failed", "INTERNAL_ERROR"), status: 500 };
}
