// Tokens over a real store, with a clock that the test moves.
import { openAccess, type Access } from "../../src/access/open-access.ts";
import { createManualClock, type ManualClock } from "./manual-clock.ts";
import { openTestHub, type TestHub } from "./test-hub.ts";

export interface TestAccess extends Access {
  clock: ManualClock;
  hub: TestHub;
  /** Runs that have not ended. */
  live: Set<string>;
  problems: unknown[];
  /** Opens the same store anew, as after a restart. */
  again(): Promise<Access>;
}

export async function openTestAccess(hasOwnTokens = false): Promise<TestAccess> {
  const hub = await openTestHub();
  const clock = createManualClock();
  const live = new Set<string>();
  const problems: unknown[] = [];
  const open = (): Promise<Access> =>
    openAccess({
      store: hub.store.tokens,
      clock,
      hasOwnTokens,
      runKey: () => Promise.resolve(new Uint8Array(32).fill(7)),
      isLive: (runId) => Promise.resolve(live.has(runId)),
      report: (problem) => problems.push(problem),
    });
  const access = await open();
  return {
    ...access,
    clock,
    hub,
    live,
    problems,
    again: open,
    async close() {
      await access.close();
      await hub.close();
    },
  };
}
