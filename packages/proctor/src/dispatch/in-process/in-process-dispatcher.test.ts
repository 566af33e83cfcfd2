import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "../../stores/sqlite/open-store.ts";
import { dispatcherCases } from "../dispatcher.case.ts";
import { createInProcessDispatcher } from "./in-process-dispatcher.ts";

dispatcherCases(
  "the dispatcher in one process",
  async (clock) => {
    const folder = await mkdtemp(join(tmpdir(), "proctor-dispatch-"));
    return {
      async open(worker, labels) {
        const store = await openSqliteStore({ file: join(folder, "p.db") });
        const dispatcher = createInProcessDispatcher({
          store,
          clock,
          worker,
          agentConcurrency: 100,
          ...(labels && { labels }),
        });
        let closing: Promise<void> | undefined;
        const close = () => (closing ??= store.close());
        return { store, dispatcher, die: close, close };
      },
      outlive: () => Promise.resolve(),
      close: () => rm(folder, { recursive: true, force: true }),
    };
  },
  { alone: "a data directory has one writer" },
);
