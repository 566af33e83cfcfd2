// Cases on their way to the hub: gathered for a moment, sent together, one record at a time. What waits is bounded: when the hub is slower than the
// runs, cases lose their details before memory grows.
import { ProctorError } from "../../core/errors.ts";
import {
  EVALUATION_LIMITS,
  type EvaluationRecord,
  type EvaluationTotals,
  type NewEvaluationCase,
} from "../../core/evaluation.ts";

type Unowned = Omit<EvaluationRecord, "owner">;

interface RecordQueueOptions {
  send: (record: Unowned) => Promise<void>;
  totals: () => EvaluationTotals;
  /** Called with an error that a retry cannot fix. */
  onRefused: (error: unknown) => void;
}

interface RecordQueue {
  add(one: NewEvaluationCase | undefined): void;
  /** Sends a sign of life, when nothing else was sent. */
  beat(): void;
  /** Resolves when everything was sent; throws the error that prevents it. */
  drain(): Promise<void>;
  close(): void;
}

interface Waiting {
  record: NewEvaluationCase;
  bytes: number;
}

/** Milliseconds for which cases gather. */
const GATHER_MS = 200;
/** Milliseconds before a hub that did not answer is asked again. */
const AGAIN_MS = 2000;
const BATCH_BYTES = EVALUATION_LIMITS.caseBytes;
/** Bytes that may wait with all their details. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

export function createRecordQueue({ send, totals, onRefused }: RecordQueueOptions): RecordQueue {
  const waiting: Waiting[] = [];
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let isClosed = false;

  function take(): Waiting[] {
    let count = 0;
    let size = 0;
    for (const { bytes: more } of waiting) {
      if (count === EVALUATION_LIMITS.batch || (count > 0 && size + more > BATCH_BYTES)) break;
      size += more;
      count += 1;
    }
    return waiting.splice(0, count);
  }

  async function sendAll(): Promise<void> {
    do {
      const batch = take();
      try {
        await send({ totals: totals(), cases: batch.map(({ record }) => record) });
        for (const each of batch) bytes -= each.bytes;
      } catch (error) {
        waiting.unshift(...batch);
        throw error;
      }
    } while (waiting.length > 0);
  }

  /** Sends one batch at a time; concurrent callers share the one under way. */
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    sending ??= sendAll().finally(() => (sending = undefined));
    return sending;
  }

  function schedule(delayMs: number): void {
    if (isClosed || timer !== undefined) return;
    timer = setTimeout(() => void flush().catch(failed), delayMs);
    timer.unref();
  }

  function failed(error: unknown): void {
    if (ProctorError.is(error) && error.retryable) schedule(AGAIN_MS);
    else onRefused(error);
  }

  return {
    add(record) {
      if (record === undefined || isClosed) return;
      const size = sizeOf(record);
      const isTooMuch = bytes + size > MAX_WAITING_BYTES;
      const kept = isTooMuch ? bare(record) : record;
      const each = { record: kept, bytes: isTooMuch ? sizeOf(kept) : size };
      waiting.push(each);
      bytes += each.bytes;
      schedule(GATHER_MS);
    },
    beat: () => void flush().catch(failed),
    async drain() {
      // What is under way may have begun before the last case.
      await sending;
      await flush();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

function bare(record: NewEvaluationCase): NewEvaluationCase {
  return { ...record, checks: [], run_results: [], runs_omitted: record.runs };
}

function sizeOf(record: NewEvaluationCase): number {
  return Buffer.byteLength(JSON.stringify(record));
}
