// One call of a model: from the agent's request to the last byte of its answer. It is recorded once, whatever happens, and before the
// agent has the end of it.
import type { Clock } from "../core/ports/clock.ts";
import type { ModelCall } from "../core/ports/model-host.ts";
import type { Redactor } from "../core/redact.ts";
import { ApiError, errorResponse } from "../runtime/openai/api-error.ts";
import type { AskModel } from "./ask-model.ts";
import type { Budget, Reservation } from "./budget.ts";
import { describeCall, shortened, type CallOutcome } from "./describe-call.ts";
import type { ModelLimits } from "./limits.ts";
import { costOf, type Price } from "./prices.ts";
import { readAnswer, type WholeAnswer } from "./read-answer.ts";
import { readChat, type ChatRequest } from "./read-chat.ts";
import { relayStream, type SeenStream } from "./relay-stream.ts";

export interface CallOptions {
  chooseModel: (requested: string | undefined) => string;
  priceOf: (model: string) => Price | undefined;
  /** The run's budget; calls may cost any amount when undefined. */
  budget: Budget | undefined;
  /** Resolves with the reason why nothing more may be spent, whatever the run's own budget says; undefined when there is none. */
  usedUp: () => Promise<string | undefined>;
  ask: AskModel;
  /** Returns the `traceparent` for the model from the one that came with the agent's call. */
  traceparentFor: (received: string | null) => string;
  /** Hides the hub's key in what the agent gets. */
  hide: Redactor;
  /** Hides the hub's key and the run's key in what is recorded. */
  hideInRecord: Redactor;
  clock: Clock;
  limits: ModelLimits;
  /** Counts bytes that are kept; throws ApiError when they are too many. */
  hold: (bytes: number) => void;
  release: (bytes: number) => void;
  onCall: (call: ModelCall) => Promise<void>;
}

export interface StartedCall {
  /** The response to the agent; never rejects. */
  response: Promise<Response>;
  /** Resolves when the call is recorded, or could not be. */
  ended: Promise<void>;
  stop(reason: Error): void;
}

export const ENDED = new Error("the run has ended");
const LEFT = new Error("the agent left before the end of the answer");
const LATE = new Error("the answer took too long");
/** The status that HTTP servers record for a request whose client left; it is never received. */
const CLIENT_LEFT_STATUS = 499;

type Phase = "reading" | "asking" | "answering";

export function startCall(request: Request, options: CallOptions): StartedCall {
  const { clock, limits } = options;
  const startedAt = clock.now();
  const stop = new AbortController();
  const { signal } = stop;
  const leave = (): void => stop.abort(LEFT);
  const callOff = clock.after(limits.answerMs, () => stop.abort(LATE));
  let phase: Phase = "reading";
  let chat: ChatRequest | undefined;
  let reservation: Reservation | undefined;
  let held = 0;
  let recording: Promise<void> | undefined;
  let markEnded = (): void => {};
  const ended = new Promise<void>((resolve) => (markEnded = resolve));

  request.signal.addEventListener("abort", leave, { once: true });
  if (request.signal.aborted) leave();

  function explain(reason: unknown): ApiError {
    if (reason === LATE) {
      const message = `the hub's model gave no whole answer within ${limits.answerMs / 1000} s`;
      return new ApiError(504, message, { code: "timeout" });
    }
    if (reason === LEFT) return new ApiError(CLIENT_LEFT_STATUS, LEFT.message);
    return new ApiError(503, ENDED.message, { code: "run_ended" });
  }

  /** Records the call once: the first outcome counts. */
  function record(outcome: CallOutcome): Promise<void> {
    return (recording ??= write(outcome).finally(markEnded));
  }

  async function write(outcome: CallOutcome): Promise<void> {
    callOff();
    request.signal.removeEventListener("abort", leave);
    letGo();
    const price = chat && options.priceOf(chat.model);
    const durationMs = Math.max(0, clock.now() - startedAt);
    const { call, chargedUsd } = describeCall({ chat, price, outcome, durationMs });
    reservation?.settle(chargedUsd);
    await options.onCall(shortened(options.hideInRecord.value(call))).catch((cause: unknown) => {
      throw Object.assign(new ApiError(503, "the call could not be recorded"), { cause });
    });
  }

  async function reserve({ model, estimate }: ChatRequest): Promise<Reservation | undefined> {
    if (options.budget === undefined) return undefined;
    const price = options.priceOf(model);
    if (price !== undefined) return options.budget.reserve(costOf(estimate, price), signal);
    const message = `this run has a budget, and the hub knows no price of the model "${model}": add it to llm_prices in the hub's proctor.yaml`;
    throw new ApiError(402, message, { code: "price_unknown" });
  }

  async function ask(): Promise<Response> {
    const reading = {
      chooseModel: options.chooseModel,
      limitBytes: limits.bodyBytes,
      onBytes(count: number) {
        options.hold(count);
        held += count;
      },
    };
    const { body, ...read } = await readChat(request, reading, signal);
    chat = read.chat;
    reservation = await reserve(chat);
    const usedUp = await options.usedUp();
    if (usedUp !== undefined) throw new ApiError(402, usedUp, { code: "budget_exceeded" });
    phase = "asking";
    const reply = await options.ask(body, signal, options.traceparentFor(request.headers.get("traceparent")));
    if (reply.ok) phase = "answering";
    return reply;
  }

  async function answer(): Promise<Response> {
    let whole: WholeAnswer;
    try {
      const reply = await ask();
      // The request has been sent, so its bytes are released before a long answer.
      letGo();
      if (reply.ok && chat?.stream === true && isEventStream(reply)) return stream(reply);
      whole = await readAnswer(reply, { hide: options.hide, answerBytes: limits.answerBytes }, signal);
    } catch (error) {
      whole = refusal(error);
    }
    const { response, ...said } = whole;
    await record({ ...said, status: response.status, isBilled: isBilled(said.error) });
    return response;
  }

  function letGo(): void {
    options.release(held);
    held = 0;
  }

  function refusal(error: unknown): WholeAnswer {
    const known = error instanceof ApiError ? error : signal.aborted ? explain(signal.reason) : broken();
    return { response: errorResponse(known), error: known.message };
  }

  /** A call that the agent left or that was cut may still be billed by the provider. */
  function isBilled(error: string | undefined): boolean {
    if (phase === "answering") return error === undefined || signal.aborted;
    return phase === "asking" && signal.aborted;
  }

  function stream({ status, body }: Response): Response {
    const includeUsage = chat?.includeUsage === true;
    const seen: SeenStream = {};
    const end = (failure: ApiError | undefined): Promise<void> => {
      const error = failure?.message ?? seen.error;
      const { hasContent, ...said } = seen;
      const isBilled = signal.aborted || hasContent === true || error === undefined;
      return record({ ...said, status, isBilled, ...(error !== undefined && { error }) });
    };
    // A client that left reads no more and would never reach the end.
    const abandon = (): void => void end(explain(signal.reason)).catch(() => {});
    signal.addEventListener("abort", abandon, { once: true });
    if (signal.aborted) abandon();
    const pieces = relayStream(
      { body, includeUsage, hide: options.hide, limits, seen, onEnd: end, explain },
      signal,
    );
    const encoder = new TextEncoder();
    const outgoing = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await pieces.next();
          if (done === true) controller.close();
          else controller.enqueue(encoder.encode(value));
        },
        async cancel() {
          leave();
          await pieces.return();
        },
      },
      // Nothing is read ahead of the agent.
      { highWaterMark: 0 },
    );
    const headers = {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-store",
    };
    return new Response(outgoing, { status, headers });
  }

  return {
    response: answer().catch((error: unknown) => errorResponse(error instanceof ApiError ? error : broken())),
    ended,
    stop: (reason) => stop.abort(reason),
  };
}

function isEventStream({ headers }: Response): boolean {
  return /^text\/event-stream\b/i.test(headers.get("content-type") ?? "");
}

function broken(): ApiError {
  return new ApiError(500, "the hub's model endpoint failed", { code: "internal_error" });
}
