// Environments without isolation: programs run on this machine as its user, in a directory of their own.
import type { Provider } from "../provider.ts";
import { openLocal } from "./open-environment.ts";
import { probeLocal } from "./probe.ts";
import { sweepLocal } from "./sweep.ts";

export function createLocalProvider({ stateDir }: { stateDir: string }): Provider {
  return {
    kind: "local",
    probe: () => probeLocal(),
    open: (request) => openLocal(stateDir, request),
    sweep: () => sweepLocal(stateDir),
  };
}
