// A task's events as one sequence, whatever happens to the connection: when it is lost, another one continues after the last event
// that arrived, so each event is yielded once and in order.
import { isObject, parseJson } from "../protocol/json.ts";
import { createBackOff } from "./back-off.ts";
import { path, type CallOptions, type Connection } from "./connection.ts";
import type { TaskEvent } from "./documents.ts";
import { badAnswer, HubError } from "./hub-error.ts";
import { readFrames } from "./read-frames.ts";

export interface EventsOptions extends CallOptions {
  /** `seq` of the last event that the caller knows. By default the events begin with the creation of the task. */
  since?: number;
  /** Failures in a row that are tolerated, 10 by default; the next one is thrown. A failure before the first answer is thrown at once. */
  maxFailures?: number;
  /** Milliseconds without a byte after which a connection is given up, 60,000 by default. The hub sends something every 15 seconds. */
  idleTimeoutMs?: number;
  /** Called before each retry with the reason for it and the wait in milliseconds. */
  onReconnect?: (reason: unknown, waitMs: number) => void;
}

const MAX_FAILURES = 10;
const IDLE_TIMEOUT_MS = 60_000;

/** Ends after the last event of a task that has ended or was deleted. Throws the reason of the signal when that aborts. */
export async function* readEvents(
  connection: Connection,
  task: string,
  options: EventsOptions = {},
): AsyncGenerator<TaskEvent, void> {
  const { signal, maxFailures = MAX_FAILURES, idleTimeoutMs = IDLE_TIMEOUT_MS, onReconnect } = options;
  const backOff = createBackOff();
  let last = options.since ?? -1;
  let hasAnswered = false;
  for (;;) {
    signal?.throwIfAborted();
    let reason: unknown;
    const idle = watchIdle(idleTimeoutMs, signal);
    try {
      const headers = { accept: "text/event-stream", ...(last >= 0 && { "last-event-id": String(last) }) };
      const response = await connection.send(path(task, "events"), { headers, signal: idle.signal });
      hasAnswered = true;
      // 204: the task has ended, and every event of it has been yielded.
      if (response.status === 204) return;
      const before = last;
      for await (const sign of readFrames(bodyOf(response))) {
        idle.touch();
        if (sign === "alive") continue;
        if ("retryMs" in sign) backOff.firstMs = sign.retryMs;
        else {
          const event = readEvent(response, sign.data);
          if (event.seq <= last) continue;
          if (event.seq > last + 1) throw badAnswer(response, `event ${last + 1} is missing`);
          last = event.seq;
          backOff.reset();
          idle.pause();
          yield event;
          idle.touch();
          if (event.type === "task.deleted") return;
        }
      }
      // The stream may have ended because the task has: the next request tells, without a wait.
      if (last > before) continue;
      reason = new Error("the hub ended the stream");
    } catch (error) {
      signal?.throwIfAborted();
      if (!hasAnswered || !isWorthRepeating(error)) throw error;
      reason = idle.signal.aborted ? idle.signal.reason : error;
    } finally {
      idle.close();
    }
    const waitMs = backOff.next();
    if (backOff.failures > maxFailures) throw reason;
    onReconnect?.(reason, waitMs);
    await backOff.wait(waitMs, signal);
  }
}

/** A request that the hub refuses is not worth repeating; a lost connection or a hub that is restarting is. */
function isWorthRepeating(error: unknown): boolean {
  if (!(error instanceof HubError)) return !(error instanceof RangeError);
  return error.status >= 500 || error.status === 429 || error.status === 408;
}

function bodyOf(response: Response): AsyncIterable<Uint8Array> {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (!isStream || response.body === null) throw badAnswer(response, "the answer is not an event stream");
  return response.body;
}

function readEvent(response: Response, data: string): TaskEvent {
  let value: unknown;
  try {
    value = parseJson(data);
  } catch (cause) {
    throw badAnswer(response, "an event is not JSON", cause);
  }
  if (isObject(value) && typeof value["type"] === "string" && Number.isInteger(value["seq"]))
    // The hub's API contract guarantees the shape of its events.
    return value as unknown as TaskEvent;
  throw badAnswer(response, "an event has no type or no seq");
}

interface IdleWatch {
  /** Aborts when nothing has arrived for too long, when the watch is closed, and when the signal of the caller does. */
  signal: AbortSignal;
  touch(): void;
  /** Stops the clock while the caller handles an event, because nobody reads the connection then. */
  pause(): void;
  close(): void;
}

function watchIdle(timeoutMs: number, outer: AbortSignal | undefined): IdleWatch {
  const controller = new AbortController();
  const stop = (): void => controller.abort(outer?.reason);
  outer?.addEventListener("abort", stop, { once: true });
  if (outer?.aborted === true) stop();
  let timer: ReturnType<typeof setTimeout> | undefined;
  function touch(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      controller.abort(new Error(`nothing came from the hub for ${timeoutMs} ms`));
    }, timeoutMs);
  }
  touch();
  return {
    signal: controller.signal,
    touch,
    pause: () => clearTimeout(timer),
    close() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", stop);
      // Releases the connection, even when the caller stopped in the middle of a stream.
      controller.abort();
    },
  };
}
