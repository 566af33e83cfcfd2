// Environments without isolation: programs run on this machine as its user, in a directory of their own.
import type { Provider } from "../provider.ts";
import { openEnvironment } from "./open-environment.ts";
import { probe } from "./probe.ts";
import { sweep } from "./sweep.ts";

export function createLocalProvider({ stateDir }: { stateDir: string }): Provider {
  return {
    kind: "local",
    probe,
    open: (request) => openEnvironment(stateDir, request),
    sweep: () => sweep(stateDir),
  };
}
