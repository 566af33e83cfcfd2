// `proctor agents watch`.
import type { RegistryChange } from "../../../core/registration.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { paintState, stateText } from "../../terminal/agent-state.ts";
import { createScreen, type Screen } from "../../terminal/screen.ts";
import type { WatchFlags } from "./flags.ts";

/** Runs until it is interrupted, which is how it is meant to end. */
export function watchAgents(flags: WatchFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "read", async ({ platform }) => {
    const screen = createScreen(context.io);
    for await (const change of platform.registry.watch(undefined, context.io.signal)) {
      if (flags.json === true) context.io.stdout.write(`${JSON.stringify(change)}\n`);
      else screen.print(changeLine(change, screen));
    }
    return 0;
  });
}

function changeLine({ at, type, agent, document }: RegistryChange, { paint }: Screen): string {
  const state = document?.health.state;
  const shown = state === undefined ? "" : `  ${paintState(paint, state)(stateText(state))}`;
  return `${paint.dim(at.slice(11, 19))}  ${type.padEnd(10)}  ${paint.bold(agent)}${shown}`;
}
