import { describe } from "vitest";
import { createDatabase, emptyDatabase, lacksPostgres, query } from "../../../test/support/postgres.ts";
import { CLEAR, FACTS, linkTo, openWorkHub } from "../../../test/support/work-hub.ts";
import { dispatcherCases } from "../../dispatch/dispatcher.case.ts";
import { createHttpDispatcher } from "./http-dispatcher.ts";

describe.skipIf(await lacksPostgres("the dispatcher over HTTP"))("at a hub", () => {
  let shared: Promise<string> | undefined;

  dispatcherCases(
    "the dispatcher over HTTP",
    async (clock) => {
      const url = await (shared ??= createDatabase());
      const hub = await openWorkHub(url, { clock });
      return {
        async open(worker, labels = []) {
          const link = linkTo(hub.url, worker, { clock });
          await link.beat([], { ...FACTS, labels: [...labels] });
          const dispatcher = createHttpDispatcher({ link, clock, sealer: CLEAR, labels });
          const close = () => dispatcher.close();
          return { store: hub.store, dispatcher, die: close, close };
        },
        outlive: () => Promise.resolve(),
        async close() {
          await hub.close();
          await emptyDatabase(url);
          await query(url, "truncate proctor_queue.job_common");
        },
      };
    },
    {
      unnamed: "a worker takes whatever waits",
      fresh: "the hub itself concludes what dead workers left",
    },
  );
});
