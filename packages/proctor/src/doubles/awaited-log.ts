// What reached a double, for tests to look at: kept in memory, as much as fits, with those who wait for more.
import { ProctorError } from "../core/errors.ts";
import { whenAborted } from "../core/when-aborted.ts";
import { createCallLog } from "./call-log.ts";

export interface AwaitedLog<Entry> {
  /** Adds an entry; `chars` is its size as JSON, where that is known. */
  add(entry: Entry, chars?: number): void;
  /** Makes waiting callers check again, because an entry has changed. */
  wake(): void;
  /** Returns the entries that fit, oldest first. */
  list(fits?: (entry: Entry) => boolean): Entry[];
  /** Resolves with the entries that fit as soon as there are `count`; rejects with REQUEST_TIMEOUT when the signal fires. */
  wait(count: number, options: WaitOptions<Entry>): Promise<Entry[]>;
  clear(): void;
}

interface WaitOptions<Entry> {
  fits?: (entry: Entry) => boolean;
  /** Plural name of the entries for the error: `requests`. */
  what: string;
  signal: AbortSignal;
}

export function createAwaitedLog<Entry>(): AwaitedLog<Entry> {
  const log = createCallLog<Entry>();
  let waiting: (() => void)[] = [];

  const list = (fits: (entry: Entry) => boolean = () => true): Entry[] => log.read().items.filter(fits);

  function wake(): void {
    const woken = waiting;
    waiting = [];
    for (const resume of woken) resume();
  }

  return {
    add(entry, chars) {
      log.add(entry, chars);
      wake();
    },
    wake,
    list,
    async wait(count, { fits, what, signal }) {
      const left = whenAborted(signal);
      for (;;) {
        const found = list(fits);
        if (found.length >= count) return found;
        if (signal.aborted) {
          throw new ProctorError("REQUEST_TIMEOUT", `${found.length} of ${count} ${what} came in time`);
        }
        await Promise.race([left, new Promise<void>((resolve) => waiting.push(resolve))]);
      }
    },
    clear: () => log.clear(),
  };
}
