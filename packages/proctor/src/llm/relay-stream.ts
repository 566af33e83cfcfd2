// A streamed answer on its way to the agent: piece by piece as the model sends it and as fast as the agent reads it, except for its end,
// which waits until the call is recorded.
import type { Redactor } from "../core/redact.ts";
import { ApiError, errorBody } from "../runtime/openai/api-error.ts";
import { lost } from "./ask-model.ts";
import type { ModelLimits } from "./limits.ts";
import type { Usage } from "./prices.ts";
import { limitedBytes, TooLarge } from "../runtime/http/limited-bytes.ts";
import { readEvent } from "./read-event.ts";
import { createEventSplitter } from "./split-events.ts";

interface RelayOptions {
  body: ReadableStream<Uint8Array> | null;
  includeUsage: boolean;
  hide: Redactor;
  limits: Pick<ModelLimits, "answerBytes" | "eventChars">;
  /** Kept up to date, so that a stream that was left early can be recorded. */
  seen: SeenStream;
  /** Records the call; the end of the answer waits for it. Throws ApiError when that is impossible. */
  onEnd: (failure: ApiError | undefined) => Promise<void>;
  /** Returns the error that says why the hub stopped the stream, once its signal is aborted. */
  explain: (reason: unknown) => ApiError;
}

export interface SeenStream {
  usage?: Usage;
  stopReason?: string;
  /** The error in the words of the model. */
  error?: string;
  hasContent?: boolean;
}

/** Never throws: a stream that breaks ends with an event that says so, and without `[DONE]`. */
export async function* relayStream(options: RelayOptions, signal: AbortSignal): AsyncGenerator<string, void> {
  try {
    const ending = yield* relay(options, signal);
    await options.onEnd(undefined);
    if (ending !== "") yield ending;
  } catch (error) {
    const failure = explainBreak(error, options, signal);
    // Even when this cannot be recorded either, the agent learns that its answer is incomplete.
    await options.onEnd(failure).catch(() => {});
    yield `data: ${JSON.stringify(errorBody(failure))}\n\n`;
  }
}

/** Returns the end of the answer, which is still to be sent. What came before something breaks is yielded before it throws. */
async function* relay(options: RelayOptions, signal: AbortSignal): AsyncGenerator<string, string> {
  const { body, limits, seen } = options;
  const splitter = createEventSplitter();
  let waiting = "";
  let isOver = false;

  /** Takes one event and returns the text that the agent may have now. */
  function take(event: string): string {
    const { text, kind, ...said } = readEvent(event, options);
    Object.assign(seen, said);
    if (kind === "aside") return text;
    if (kind === "content") {
      seen.hasContent = true;
      // What looked like the end was not the end: another choice goes on.
      const out = waiting + text;
      waiting = "";
      return out;
    }
    isOver = kind === "done";
    waiting += text;
    if (waiting.length > limits.eventChars) throw new TooLarge();
    return "";
  }

  /** Yields what arrived together as one piece, so that the agent gets no more packets than the hub. */
  function* takeAll(events: readonly string[]): Generator<string, void> {
    let out = "";
    try {
      for (const event of events) if (!isOver) out += take(event);
    } finally {
      if (out !== "") yield out;
    }
  }

  for await (const bytes of limitedBytes(body, limits.answerBytes, signal)) {
    yield* takeAll(splitter.push(bytes));
    if (isOver) return waiting;
    if (splitter.pendingChars() > limits.eventChars) throw new TooLarge();
  }
  yield* takeAll(splitter.end());
  // Some servers leave out `[DONE]`, but none leaves out the stop reason.
  if (isOver || seen.stopReason !== undefined || seen.error !== undefined) return waiting;
  throw new ApiError(502, "the hub's model ended its answer before its end", { code: "upstream_broken" });
}

function explainBreak(error: unknown, { explain, limits }: RelayOptions, signal: AbortSignal): ApiError {
  if (error instanceof ApiError) return error;
  if (signal.aborted) return explain(signal.reason);
  if (!(error instanceof TooLarge)) return lost(error);
  const message = `the answer of the hub's model is larger than ${limits.answerBytes} bytes`;
  return new ApiError(502, message, { code: "upstream_too_large" });
}
