// `proctor agents watch`.
import type { RegistryChange } from "../../../core/registration.ts";
import { hubAction } from "../hub-action.ts";
import { paintState, stateText } from "../../terminal/agent-state.ts";
import type { Screen } from "../../terminal/screen.ts";
import type { WatchFlags } from "./flags.ts";

/** Runs until it is interrupted, which is how it is meant to end. */
export const watchAgents = hubAction("read", async ({ platform, screen, io }, flags: WatchFlags) => {
  for await (const change of platform.registry.watch(undefined, io.signal)) {
    if (flags.json === true) io.stdout.write(`${JSON.stringify(change)}\n`);
    else screen.print(changeLine(change, screen));
  }
});

function changeLine({ at, type, agent, document }: RegistryChange, { paint }: Screen): string {
  const state = document?.health.state;
  const shown = state === undefined ? "" : `  ${paintState(paint, state)(stateText(state))}`;
  return `${paint.dim(at.slice(11, 19))}  ${type.padEnd(10)}  ${paint.bold(agent)}${shown}`;
}
