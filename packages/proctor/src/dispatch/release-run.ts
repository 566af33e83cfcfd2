// Gives a claimed run back to the queue. It goes the way of a run whose session was parked: no worker has it, the fence of the one that
// had it is stale, and whoever claims it next starts it.
import type { Clock } from "../core/ports/clock.ts";
import type { Delivery } from "../core/ports/dispatcher.ts";
import type { NewEvent, Store } from "../core/ports/store.ts";

export async function releaseRun(
  store: Pick<Store, "append">,
  clock: Clock,
  { claimed: { run, fence } }: Delivery,
): Promise<void> {
  const parked: NewEvent = {
    timestamp: clock.now(),
    draft: { type: "session.parked", payload: {} },
    payload: "{}",
  };
  await store.append(run.id, [parked], { fence });
}
