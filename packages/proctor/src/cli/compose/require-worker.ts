// A command on a shared database leaves its runs to workers: without any, it says so instead of waiting for ever.
import { ProctorError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Hub } from "../../core/ports/hub.ts";
import type { Store } from "../../core/ports/store.ts";

export function requireWorker(hub: Hub, store: Store, clock: Clock): Hub {
  return {
    ...hub,
    async submit(request, options) {
      const workers = await store.workers.list(clock.now());
      if (workers.some(({ alive, draining, slots }) => alive && !draining && slots > 0))
        return hub.submit(request, options);
      throw new ProctorError(
        "NO_WORKER",
        "no worker carries out the runs of this database\nstart one: proctor worker, or proctor up",
      );
    },
  };
}
