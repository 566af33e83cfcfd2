// The tokens of a data directory, and the authority that all doors of its hub ask.
import { join } from "node:path";
import { openAccess, type Access } from "../../access/open-access.ts";
import type { Store } from "../../core/ports/store.ts";
import { isTerminal } from "../../core/run.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import { openKeyFile } from "../../stores/key-file.ts";
import type { Config } from "../config/load-config.ts";

export function openTokens(
  { tokens, dataDir }: Pick<Config, "tokens" | "dataDir">,
  { store, report }: { store: Store; report: (problem: unknown) => void },
): Promise<Access> {
  return openAccess({
    store: store.tokens,
    clock: systemClock,
    hasOwnTokens: tokens.some((token) => token !== ""),
    runKey: () => openKeyFile(join(dataDir, "runs.key")),
    async isLive(runId) {
      const run = await store.readRun(runId);
      return run !== undefined && !isTerminal(run.status);
    },
    report,
  });
}
