// The changes of the registry, for those who watch: the last ones are kept, so that a watcher can drop and come back.
import type { RegisteredAgent, RegistryChange } from "../core/registration.ts";

export interface Changes {
  add(type: RegistryChange["type"], agent: string, document?: RegisteredAgent): void;
  watch(after: number | undefined, signal: AbortSignal): AsyncIterable<RegistryChange>;
  close(): void;
}

interface ChangesOptions {
  now: () => number;
  /** All agents as they are, for a watcher that begins. */
  snapshot: () => readonly RegisteredAgent[];
}

const KEPT = 10_000;
/** Snapshots are yielded without a sequence that could be resumed from, except the last agent's. */
const NO_PLACE = 0;

export function createChanges({ now, snapshot }: ChangesOptions): Changes {
  // Sequences begin with the time of the start, so that those of an earlier start are older than anything kept.
  const first = now();
  let last = first;
  const kept: RegistryChange[] = [];
  let floor = first;
  let isClosed = false;
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
    for (const [index, document] of agents.entries()) {
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
      if (kept.length > 2 * KEPT) floor = kept.splice(0, KEPT).at(-1)?.sequence ?? floor;
      if (waiting.size > 0) wake();
    },
    async *watch(after, signal) {
      let place = after;
      let release = (): void => undefined;
      const leave = (): void => release();
      const ended = (): boolean => signal.aborted || isClosed;
      signal.addEventListener("abort", leave, { once: true });
      try {
        while (!ended()) {
          if (isGone(place)) {
            place = yield* begin();
            continue;
          }
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
        signal.removeEventListener("abort", leave);
      }
    },
    close() {
      isClosed = true;
      wake();
    },
  };
}
