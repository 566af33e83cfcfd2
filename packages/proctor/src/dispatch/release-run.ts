// Gives a claimed run back to the queue. It goes the way of a run whose session was parked: no worker has it, the fence of the one that
// had it is stale, and whoever claims it next starts it.
import type { Clock } from "../core/ports/clock.ts";
import type { NewEvent, Store } from "../core/ports/store.ts";

export async function releaseRun(
  store: Pick<Store, "append">,
  clock: Clock,
  { id, fence }: { id: string; fence: number },
): Promise<void> {
  const parked: NewEvent = {
    timestamp: clock.now(),
    draft: { type: "session.parked", payload: {} },
    payload: "{}",
  };
  await store.append(id, [parked], { fence });
}
