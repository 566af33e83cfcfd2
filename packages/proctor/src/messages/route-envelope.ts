// Where an envelope goes: into an inbox, to the hub itself, or to an agent that knows no envelopes, for which the hub makes a run.
import type { Agent } from "../core/agent.ts";
import { HUB, type Envelope } from "../core/envelope.ts";
import { ProctorError } from "../core/errors.ts";
import { isJsonObject, type Json } from "../core/json.ts";
import type { Hub } from "../core/ports/hub.ts";
import type { Registry } from "../core/ports/registry.ts";
import { parseParty } from "./party.ts";

export type EnvelopeRoute =
  | { kind: "inbox"; receiver: string }
  /** The hub acts on it. */
  | { kind: "hub" }
  /** The hub makes a run of it. */
  | { kind: "run"; agent: string };

export interface RouteDeps {
  hub: Pick<Hub, "agent">;
  /** Returns the registry; absent where there is none: then no agent has a capability. */
  registry?: (() => Registry | undefined) | undefined;
}

export type RouteEnvelope = (envelope: Envelope) => Promise<EnvelopeRoute>;

/** The protocol of agents that receive envelopes themselves. */
const ENVELOPE = "envelope";

export function createRouteEnvelope({ hub, registry }: RouteDeps): RouteEnvelope {
  async function toName(name: string, envelope: Envelope): Promise<EnvelopeRoute> {
    const { type, inReplyTo } = envelope;
    const isAnswer = inReplyTo !== undefined || type === "response" || type === "error";
    const agent = await find(name, isAnswer);
    return agent === undefined ? { kind: "inbox", receiver: name } : toAgent(agent, envelope);
  }

  function toAgent(agent: Agent, { type, action }: Envelope): EnvelopeRoute {
    const { name } = agent;
    if (agent.protocol === ENVELOPE) return { kind: "inbox", receiver: inboxOf(agent) };
    if (action === "cancel" || action === "answer") return { kind: "hub" };
    if (type !== "request") return { kind: "inbox", receiver: name };
    if (action === "execute") return { kind: "run", agent: name };
    throw new ProctorError(
      "NOT_SUPPORTED",
      `"${name}" is reached over ${agent.protocol}, and takes only execute, cancel and answer\nsend it the action execute`,
      { details: { agent: name, action } },
    );
  }

  /** Finds the receiver. A sender that asked has an inbox for the answer, registered or not. */
  async function find(name: string, isAnswer: boolean): Promise<Agent | undefined> {
    try {
      return await hub.agent(name);
    } catch (error) {
      if (isAnswer && ProctorError.is(error) && error.code === "AGENT_NOT_FOUND") return undefined;
      throw error;
    }
  }

  async function byCapability(capability: string, payload: Json): Promise<Agent> {
    const input = isJsonObject(payload) ? (payload["input_data"] ?? payload["input"]) : undefined;
    const found = await registry?.()?.search({ capability, ...(input !== undefined && { input }) });
    const best = found?.matches[0];
    if (best !== undefined) return best.agent;
    const why = found?.rejected.map(({ agent, reason }) => `${agent}: ${reason}`) ?? [];
    throw new ProctorError(
      "CAPABILITY_NOT_FOUND",
      [`no agent that can be reached has the capability "${capability}" for this input`, ...why].join("\n"),
      { details: { capability, rejected: found?.rejected.map((each) => ({ ...each })) ?? [] } },
    );
  }

  return async (envelope) => {
    const party = parseParty(envelope.to, "to");
    switch (party.kind) {
      case "hub":
        return { kind: "hub" };
      case "user":
        return { kind: "inbox", receiver: envelope.to };
      case "capability":
        return toAgent(await byCapability(party.name, envelope.payload), envelope);
      case "agent":
        return toName(party.name, envelope);
    }
  };
}

/** Returns the inbox that an agent's address names; its own where it is reached by a URL. */
function inboxOf({ name, transport, url = "" }: Pick<Agent, "name" | "transport" | "url">): string {
  const named = transport === "inbox" ? url.replace(/^inbox:/, "") : "";
  return named === "" || named === HUB ? name : named;
}
