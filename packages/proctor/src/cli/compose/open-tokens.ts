// The tokens of a data directory, and the authority that all endpoints of its hub ask.
import { openAccess, type Access } from "../../access/open-access.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Store } from "../../core/ports/store.ts";
import { isTerminal } from "../../core/run.ts";
import type { Config } from "../config/load-config.ts";
import type { HubKeys } from "./open-keys.ts";

export function openTokens(
  { tokens }: Pick<Config, "tokens">,
  deps: { store: Store; clock: Clock; report: (problem: unknown) => void } & Pick<HubKeys, "runKey">,
): Promise<Access> {
  const { store, runKey, clock, report } = deps;
  return openAccess({
    store: store.tokens,
    clock,
    hasOwnTokens: tokens.some((token) => token !== ""),
    runKey,
    async isLive(runId) {
      const run = await store.readRun(runId);
      return run !== undefined && !isTerminal(run.status);
    },
    report,
  });
}
