// Gets runs from a hub, for a worker without the database. What dead workers left is not among them: the hub concludes that itself.
import type { Clock } from "../../core/ports/clock.ts";
import type { Delivery, Dispatcher } from "../../core/ports/dispatcher.ts";
import type { GivenRun, News, Opened } from "../../core/ports/work-desk.ts";
import type { Sealer } from "../../core/ports/sealer.ts";
import { never } from "../../runtime/time/never.ts";
import { pause } from "../../runtime/time/pause.ts";
import { isPassing, isRefusal, type Holding, type WorkLink } from "./work-link.ts";
import { sealedHere } from "./sealed-here.ts";

const BEAT_EVERY_MS = 3000;
const LISTEN_MS = 25_000;
/** Most runs that a hub gives at once. */
const MAX_CLAIMS = 1000;
/** Milliseconds that an answer may take beyond the wait. */
const LISTEN_GRACE_MS = 10_000;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 1000;

export function createHttpDispatcher(options: {
  link: WorkLink;
  clock: Clock;
  /** Keeps the secrets of runs in this process: no other process knows its key. */
  sealer: Sealer;
  labels: readonly string[];
}): Dispatcher {
  const { link, clock, sealer, labels } = options;
  const listeners = new Set<(runIds: readonly string[]) => void>();
  const closing = new AbortController();
  const held = new Set<Holding>();
  let free = true;
  let listening = false;

  function tell(runIds: readonly string[]): void {
    for (const listener of listeners) listener(runIds);
  }

  function announce(news: readonly News[]): void {
    for (const { run_id, sequence } of news) {
      const holding = link.held(run_id);
      if (holding) holding.announced = Math.max(holding.announced, sequence);
    }
    tell(news.map(({ run_id }) => run_id));
  }

  async function listen(): Promise<void> {
    let delayMs = FIRST_DELAY_MS;
    while (!closing.signal.aborted) {
      try {
        const runs = [...held].filter((one) => link.held(one.runId) === one);
        const { waiting, news } = await link.ask<{ waiting: boolean; news: News[] }>("/work/listen", {
          body: {
            held: runs.map(({ ticket, sequence, announced }) => ({
              ticket,
              sequence: Math.max(sequence, announced),
            })),
            labels,
            free,
            wait_ms: LISTEN_MS,
          },
          timeoutMs: LISTEN_MS + LISTEN_GRACE_MS,
          signal: closing.signal,
        });
        delayMs = FIRST_DELAY_MS;
        if (waiting || news.length > 0) announce(news);
      } catch {
        // Claims and beats report what is wrong; what was missed meanwhile is found when the hub is back.
        await pause(clock, delayMs, closing.signal).catch(() => undefined);
        delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS);
      }
    }
  }

  function deliveryOf(given: GivenRun, sinceMs: number): Delivery {
    held.add(link.hold(given, sinceMs));
    const { run, spec, fence, sequence, talk } = given;
    const seal = (opened: Opened): string | null => sealedHere(sealer, opened);
    return {
      claimed: {
        run,
        spec,
        fence,
        sequence,
        ...(talk && { talk }),
        sealed: seal(given.sealed),
        continuation: seal(given.continuation),
      },
      redelivered: false,
    };
  }

  function lapsed(holdings: readonly Holding[]): Set<string> {
    const gone = holdings.filter((one) => link.isLost(one));
    for (const one of gone) link.lose(one);
    return new Set(gone.map(({ runId }) => runId));
  }

  return {
    beatEveryMs: BEAT_EVERY_MS,
    async claim({ limit }) {
      for (const one of held) if (link.held(one.runId) !== one) held.delete(one);
      if (closing.signal.aborted || limit <= 0) {
        free = false;
        return { deliveries: [], nextDueAt: null };
      }
      const since = clock.now();
      const { items } = await link.ask<{ items: GivenRun[] }>("/work/claim", {
        body: { limit: Math.min(limit, MAX_CLAIMS), labels },
      });
      free = items.length < limit;
      return { deliveries: items.map((given) => deliveryOf(given, since)), nextDueAt: null };
    },
    async beat(deliveries) {
      const known = deliveries.map(({ claimed: { run } }) => link.held(run.id));
      const holdings = known.filter((one) => one !== undefined);
      const lost = (ids: ReadonlySet<string>): Delivery[] =>
        deliveries.filter(({ claimed: { run } }) => ids.has(run.id));
      for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS)) {
        const at = clock.now();
        try {
          const answer = await link.beat(holdings);
          const gone = new Set(answer.lost);
          for (const one of holdings) {
            if (gone.has(one.runId)) link.lose(one);
            else one.aliveAt = at;
          }
          if (answer.news.length > 0) announce(answer.news);
          return lost(gone);
        } catch (error) {
          if (isRefusal(error)) for (const one of holdings) link.lose(one);
          const gone = lapsed(holdings);
          if (gone.size > 0) return lost(gone);
          if (!isPassing(error)) throw error;
        }
        await pause(clock, delayMs, never);
      }
    },
    async release({ claimed: { run } }) {
      const holding = link.held(run.id);
      if (holding === undefined) return;
      const headers = link.headersOf(holding);
      await link.persist(holding, (signal) =>
        link.client.send(`/work/runs/${run.id}/release`, { method: "POST", headers, signal }),
      );
      link.drop(holding);
    },
    watch(listener) {
      listeners.add(listener);
      if (!listening) {
        listening = true;
        void listen();
      }
      return () => void listeners.delete(listener);
    },
    close() {
      closing.abort();
      return Promise.resolve();
    },
  };
}
