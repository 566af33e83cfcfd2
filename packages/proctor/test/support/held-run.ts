// A run that a worker without the database has, at a hub of the test.
import { expect } from "vitest";
import type { NewEvent } from "../../src/core/ports/store.ts";
import type { WorkAppend } from "../../src/core/ports/work-desk.ts";
import type { Delivery, Dispatcher } from "../../src/core/ports/dispatcher.ts";
import type { RunStore } from "../../src/core/ports/run-store.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import type { HttpClient } from "../../src/hub/http-client.ts";
import { createHttpDispatcher } from "../../src/hub/work/http-dispatcher.ts";
import { createHttpRunStore } from "../../src/hub/work/http-run-store.ts";
import type { Holding, WorkLink } from "../../src/hub/work/work-link.ts";
import { systemClock } from "../../src/runtime/time/system-clock.ts";
import { eventually } from "./eventually.ts";
import { newRun, type RunOptions } from "./stores/fixtures.ts";
import { CLEAR, FACTS, linkTo, type WorkHub } from "./work-hub.ts";

export interface HeldTestRun {
  id: string;
  delivery: Delivery;
  dispatcher: Dispatcher;
  holding: Holding;
  link: WorkLink;
  store: RunStore;
  fence: number;
  /** The headers of its worker and its ticket. */
  headers: Record<string, string>;
}

export async function holdRun(
  hub: WorkHub,
  options: {
    run?: RunOptions;
    clock?: Clock;
    wrap?: (client: HttpClient) => HttpClient;
    worker?: string;
  } = {},
): Promise<HeldTestRun> {
  const link = linkTo(hub.url, options.worker ?? "box", options);
  await link.beat([], FACTS);
  const clock = options.clock ?? systemClock;
  const dispatcher = createHttpDispatcher({ link, clock, sealer: CLEAR, labels: [] });
  const { run } = await hub.store.createRun(newRun(options.run ?? {}));
  let delivery: Delivery | undefined;
  await eventually(async () => {
    // What other tests left in the queue comes as well.
    const { deliveries } = await dispatcher.claim({ limit: 1, inFlight: {} });
    delivery ??= deliveries.find(({ claimed }) => claimed.run.id === run.id);
    expect(delivery).toBeDefined();
  });
  const holding = link.held(run.id);
  if (delivery === undefined || holding === undefined) throw new Error("the run was not delivered");
  return {
    id: run.id,
    delivery,
    dispatcher,
    holding,
    link,
    store: createHttpRunStore({ link, sealer: CLEAR }, holding),
    fence: delivery.claimed.fence,
    headers: link.headersOf(holding),
  };
}

/** What a worker sends to write these events. */
export function appendOf(after: number, events: readonly NewEvent[]): WorkAppend {
  return {
    after,
    events: events.map(({ timestamp, draft, payload }) => ({
      timestamp,
      type: draft.type,
      payload,
      origin: null,
    })),
  };
}
