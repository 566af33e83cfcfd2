// The changes of the registry, for those who watch: the last ones are kept, so that a watcher can drop and come back. A watcher costs its
// place among them and nothing else: how many there are is limited, and one that falls too far behind is let go.
import { ProctorError } from "../core/errors.ts";
import type { RegisteredAgent, RegistryChange } from "../core/registration.ts";

export interface Changes {
  add(type: RegistryChange["type"], agent: string, document?: RegisteredAgent): void;
  /** Yields changes. Throws RATE_LIMITED where too many watch, and to a watcher that is too slow. */
  watch(after: number | undefined, signal: AbortSignal): AsyncIterable<RegistryChange>;
  close(): void;
}

interface ChangesOptions<T> {
  now: () => number;
  /** Returns all agents, for a watcher that begins; the list is shared by all of them and never changed. */
  snapshot: () => readonly T[];
  describe: (agent: T) => RegisteredAgent;
  /** Changes that are kept at least; twice this number at most. */
  keeps?: number;
  maxWatchers?: number;
}

const KEPT = 10_000;
const MAX_WATCHERS = 5000;
/** Sequence of a snapshot, which cannot be resumed from; only the last agent's can. */
const NO_PLACE = 0;

export function createChanges<T>({
  now,
  snapshot,
  describe,
  keeps = KEPT,
  maxWatchers = MAX_WATCHERS,
}: ChangesOptions<T>): Changes {
  // Sequences begin with the time of the start, so that those of an earlier start are older than anything kept.
  const first = now();
  let last = first;
  const kept: RegistryChange[] = [];
  let floor = first;
  let isClosed = false;
  let watchers = 0;
  const waiting = new Set<() => void>();

  function wake(): void {
    for (const resolve of waiting) resolve();
    waiting.clear();
  }

  function isGone(after: number | undefined): after is undefined {
    return after === undefined || after < floor || after > last;
  }

  function* begin(): Generator<RegistryChange, number> {
    const place = last;
    const agents = snapshot();
    const at = new Date(now()).toISOString();
    for (const [index, agent] of agents.entries()) {
      // One by one: a watcher that stalls in the middle must not hold the documents of all.
      const document = describe(agent);
      const sequence = index === agents.length - 1 ? place : NO_PLACE;
      yield { sequence, at, type: "registered", agent: document.name, document };
    }
    return place;
  }

  return {
    add(type, agent, document) {
      last += 1;
      kept.push({
        sequence: last,
        at: new Date(now()).toISOString(),
        type,
        agent,
        ...(document !== undefined && { document }),
      });
      // Cut rarely: shifting a long list for each change costs more than the list.
      if (kept.length > 2 * keeps) floor = kept.splice(0, keeps).at(-1)?.sequence ?? floor;
      if (waiting.size > 0) wake();
    },
    async *watch(after, signal) {
      let place = after;
      let release = (): void => undefined;
      const leave = (): void => release();
      const ended = (): boolean => signal.aborted || isClosed;
      let hasBegun = false;
      if (watchers >= maxWatchers) throw tooMany(maxWatchers);
      watchers += 1;
      signal.addEventListener("abort", leave, { once: true });
      try {
        while (!ended()) {
          if (isGone(place)) {
            if (hasBegun) throw tooSlow(keeps);
            place = yield* begin();
            hasBegun = true;
            continue;
          }
          hasBegun = true;
          const next = kept[place - floor];
          if (next !== undefined) {
            place = next.sequence;
            yield next;
            continue;
          }
          await new Promise<void>((resolve) => {
            release = resolve;
            waiting.add(resolve);
          });
          waiting.delete(release);
        }
      } finally {
        watchers -= 1;
        signal.removeEventListener("abort", leave);
      }
    },
    close() {
      isClosed = true;
      wake();
    },
  };
}

function tooMany(count: number): ProctorError {
  return new ProctorError("RATE_LIMITED", `${count} clients watch the registry already\ntry again later`);
}

function tooSlow(count: number): ProctorError {
  const message = `this watcher is more than ${count} changes behind\nwatch again: it begins with all agents as they are`;
  return new ProctorError("RATE_LIMITED", message);
}
