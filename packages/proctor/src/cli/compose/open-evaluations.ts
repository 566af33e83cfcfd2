// Evaluations of a hub in this process.
import { MAX_PAGE_LIMIT } from "../../core/page.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Evaluations } from "../../core/ports/evaluations.ts";
import type { Hub } from "../../core/ports/hub.ts";
import type { Store } from "../../core/ports/store.ts";
import { createEvaluations } from "../../suites/evaluations/evaluations.ts";

interface OpenEvaluationsDeps {
  store: Store;
  hub: Hub;
  clock: Clock;
}

export function openEvaluations({ store, hub, clock }: OpenEvaluationsDeps): Evaluations {
  return createEvaluations({
    store: store.evaluations,
    clock,
    async removeRuns(evaluation) {
      for (;;) {
        const { items } = await hub.runs({ evaluation, limit: MAX_PAGE_LIMIT });
        if (items.length === 0) return;
        for (const { id } of items) await hub.remove(id);
      }
    },
  });
}
