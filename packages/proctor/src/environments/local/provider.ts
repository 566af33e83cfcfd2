// Environments without isolation: programs run on this machine as its user, in a directory of their own.
import type { Provider } from "../provider.ts";
import { openLocal } from "./open-local.ts";
import { probeLocal } from "./probe-local.ts";
import { sweepLocal } from "./sweep-local.ts";

export function createLocalProvider({ stateDir }: { stateDir: string }): Provider {
  return {
    kind: "local",
    probe: () => probeLocal(),
    open: (request) => openLocal(stateDir, request),
    sweep: () => sweepLocal(stateDir),
  };
}
