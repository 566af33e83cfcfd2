// Sends traces to a collector over OTLP/HTTP, in the background: a queue of bounded size, batches, gzip, retries. A
// collector that is slow, broken or absent costs the spans and a message, never a run.
import { pause } from "../../runtime/time/pause.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Clock } from "../../core/ports/clock.ts";
import { type Batch, type QueuedSpan, takeApart, takeBatch } from "./batch.ts";
import type { OtlpTraceRequest } from "./otlp.ts";
import { checkHeaders } from "./parse-otlp-headers.ts";
import { type Delivery, postTraces } from "./post-traces.ts";
import { createReporter } from "./reporter.ts";
import { tracesUrl } from "./traces-url.ts";

export interface OtlpExporterOptions {
  /** Address of the collector: `http://host:4318`, or one with its own path. */
  url: string;
  headers?: Record<string, string>;
  /** Time limit of one attempt including the answer, 10 s by default. */
  timeoutMs?: number;
  /** Most bytes of one request before compression, 4 MiB by default. A larger span is sent alone. */
  maxBatchBytes?: number;
  /** Most bytes that wait in the queue, 32 MiB by default. Spans that do not fit are dropped and reported. */
  maxQueueBytes?: number;
  /** Time during which one failed batch is sent again, 60 s by default. */
  retryForMs?: number;
  /** Time that close() waits, 5 s by default. */
  closeTimeoutMs?: number;
  fetch?: typeof fetch;
  /** Gets one line for people for each new kind of trouble. */
  report?: (message: string) => void;
  clock?: Clock;
}

export interface OtlpExporter {
  /** Queues the spans. Never rejects, and does not wait for the collector. */
  export(request: OtlpTraceRequest): Promise<void>;
  /** Resolves when everything queued so far has arrived or was given up. */
  flush(): Promise<void>;
  /** Sends what is left, within closeTimeoutMs. Takes no more afterwards. */
  close(): Promise<void>;
  /** Number of times that spans did not arrive: batches given up, refused or rejected in part, exports dropped. */
  readonly failures: number;
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;
const MIB = 1024 * 1024;
const compress = promisify(gzip);

export function createOtlpExporter(options: OtlpExporterOptions): OtlpExporter {
  const { url, shown } = tracesUrl(options.url);
  const headers = checkHeaders(options.headers ?? {});
  const { timeoutMs = 10_000, retryForMs = 60_000, closeTimeoutMs = 5000 } = options;
  const { maxBatchBytes = 4 * MIB, maxQueueBytes = 32 * MIB, clock = systemClock } = options;
  const reporter = createReporter({ shown, secrets: Object.values(headers), report: options.report });
  const stop = new AbortController();
  const queue: QueuedSpan[] = [];
  let queuedBytes = 0;
  let failures = 0;
  let closeByMs = Number.POSITIVE_INFINITY;
  let sending: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  function lose(spans: number, trouble: string, next: string): void {
    failures++;
    reporter.lost(spans, trouble, next);
  }

  /** Sends until the queue is empty. Starts one turn later, so that what is exported together is sent together. */
  async function send(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) {
      const batch = takeBatch(queue, maxBatchBytes);
      queuedBytes -= batch.sizeBytes;
      settle(batch, await deliver(batch));
    }
    sending = undefined;
  }

  async function deliver(batch: Batch): Promise<Delivery> {
    const body = await compress(batch.body);
    const now = (): number => clock.now();
    const request = { url, headers, body, timeoutMs, fetch: options.fetch ?? fetch, now };
    const giveUpMs = now() + retryForMs;
    for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS)) {
      const delivery = await postTraces(request, stop.signal);
      if (delivery.kind !== "unavailable" || stop.signal.aborted) return delivery;
      // Jitter keeps many hubs from coming back at the same moment.
      const waitMs = Math.max(delivery.afterMs ?? 0, delayMs * (0.5 + Math.random() / 2));
      if (now() + waitMs > Math.min(giveUpMs, closeByMs)) return delivery;
      await pause(clock, waitMs, stop.signal).catch(() => undefined);
      if (stop.signal.aborted) return delivery;
    }
  }

  function settle(batch: Batch, delivery: Delivery): void {
    if (delivery.kind === "accepted") {
      if (delivery.rejected === 0) reporter.arrived(delivery.message);
      else lose(delivery.rejected, `rejected spans: ${delivery.message ?? "no reason given"}`, "see its log");
      return;
    }
    // Once the time is up, the batches that still wait are given up, too.
    const others = stop.signal.aborted ? queue.splice(0).length : 0;
    lose(batch.spans + others, delivery.trouble, delivery.next);
  }

  /** Queues what fits. The run's own span is the first of its trace, so that it is the last to be left out. */
  function enqueue(spans: readonly QueuedSpan[]): number {
    let dropped = 0;
    for (const span of spans) {
      if (queuedBytes > 0 && queuedBytes + span.sizeBytes > maxQueueBytes) dropped++;
      else {
        queue.push(span);
        queuedBytes += span.sizeBytes;
      }
    }
    return dropped;
  }

  async function shut(): Promise<void> {
    closeByMs = clock.now() + closeTimeoutMs;
    const callOff = clock.after(closeTimeoutMs, () => stop.abort());
    await sending;
    callOff();
    reporter.close();
  }

  return {
    get failures() {
      return failures;
    },
    async export(request) {
      const spans = takeApart(request);
      if (spans.length === 0) return;
      if (closing !== undefined) {
        lose(spans.length, "was not asked, since the exporter is closed", "export before closing");
        return;
      }
      const dropped = enqueue(spans);
      if (dropped > 0) lose(dropped, "is slower than the runs, and the queue is full", "give it more room");
      sending ??= send();
    },
    async flush() {
      await sending;
    },
    close() {
      closing ??= shut();
      return closing;
    },
  };
}
