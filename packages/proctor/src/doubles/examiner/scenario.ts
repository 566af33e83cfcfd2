// What a client meets while a rule is tried: an agent with a card, a script, and faults on the way.
import type { JsonObject } from "../../core/json.ts";
import type { AgentCard, AgentInterface } from "../../protocols/a2a/model.ts";
import type { ScriptedFault } from "../scripted/faults/fault.ts";
import type { ProfileName } from "../scripted/profiles.ts";
import type { Turn } from "../scripted/script.ts";
import { readFault } from "../scripted/faults/fault.ts";

/** Addresses of the agent and of a second server next to it: `http://127.0.0.1:41200`. */
export interface Places {
  agent: string;
  elsewhere: string;
}

export interface Scenario {
  /** The agent's answer to a message. */
  turn: Turn;
  profile?: ProfileName;
  faults?: readonly ScriptedFault[];
  /** Returns the card that clients get instead of the usual one. */
  card?: (card: AgentCard, places: Places) => AgentCard;
  /** Number of times that the client is started; 1 when absent. */
  times?: number;
  /** True when the client is interrupted (SIGINT) while it waits for the agent. */
  interrupt?: boolean;
}

/** The token that the client gets and the profile `auth` requires. */
export const TOKEN = "itk-valid-token";

export const working: JsonObject = { statusUpdate: { status: { state: "TASK_STATE_WORKING" } } };

/** Returns the event that completes a task with this text of the agent. */
export function completed(text: string): JsonObject {
  return ended("TASK_STATE_COMPLETED", text);
}

export function ended(state: string, text: string): JsonObject {
  const message = { messageId: "examiner-end", role: "ROLE_AGENT", parts: [{ text }] };
  return { statusUpdate: { status: { state, message } } };
}

export function artifact(text: string, more: JsonObject = {}): JsonObject {
  return { artifactUpdate: { artifact: { artifactId: "text", name: "text", parts: [{ text }] }, ...more } };
}

export function turnOf(...events: JsonObject[]): Turn {
  return { events: events.map((event) => ({ event })) };
}

export function faultsOf(...specs: string[]): ScriptedFault[] {
  return specs.map(readFault);
}

/** Returns the card with each interface replaced by those that `change` returns for it. */
export function withInterfaces(
  card: AgentCard,
  change: (spoken: AgentInterface, index: number) => AgentInterface[],
): AgentCard {
  return { ...card, supportedInterfaces: card.supportedInterfaces.flatMap(change) };
}

/** Returns the card with only its interfaces of version 1.0. */
export function inVersion1(card: AgentCard): AgentCard {
  return withInterfaces(card, (spoken) => (spoken.protocolVersion === "1.0" ? [spoken] : []));
}
