// How the state of an agent looks.
import type { AgentState, Load, RegisteredAgent } from "../../core/registration.ts";
import type { Colour, Paint } from "./paint.ts";

const LOOKS: Readonly<Record<AgentState, readonly [icon: string, colour: Colour]>> = {
  online: ["●", "green"],
  suspect: ["◐", "yellow"],
  offline: ["✗", "red"],
  draining: ["◌", "magenta"],
  unknown: ["○", "dim"],
};

export function stateText(state: AgentState): string {
  return `${LOOKS[state][0]} ${state}`;
}

export function paintState(paint: Paint, state: AgentState): (text: string) => string {
  return paint[LOOKS[state][1]];
}

/** Returns a text such as `2/8, 1 waits`: tasks that the agent works on, how many it takes at once, and how many wait. */
export function loadText(load: Load | null): string {
  if (load?.active === undefined) return "";
  const capacity = load.capacity === undefined ? "" : `/${load.capacity}`;
  const waits = load.queued ? `, ${load.queued} waiting` : "";
  return `${load.active}${capacity}${waits}`;
}

export function capabilityNames({ capabilities = [] }: Pick<RegisteredAgent, "capabilities">): string {
  return capabilities.map(({ name }) => name).join(", ");
}
