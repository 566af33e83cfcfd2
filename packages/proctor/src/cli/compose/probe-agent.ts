// Asks an agent how it is, in its own protocol, or by a task that it is to do.
import type { AgentSpec } from "../../core/agent.ts";
import type { Hub } from "../../core/ports/hub.ts";
import { KNOWN_PROTOCOLS } from "./known-protocols.ts";

/** Resolves with what is wrong with the agent; undefined where the agent is alive, null where its protocol has no way to ask. */
export async function probeAgent(spec: AgentSpec, signal: AbortSignal): Promise<string | undefined | null> {
  const protocol = KNOWN_PROTOCOLS.find(({ id }) => id === spec.protocol);
  if (protocol?.probe === undefined) return null;
  const probe = await protocol.probe(spec, signal);
  return probe.alive ? undefined : probe.trouble;
}

/** Gives the agent a task in an ordinary run, which is marked as a probe. */
export async function tryTask(
  hub: Hub,
  agent: string,
  task: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { run } = await hub.submit({ agent, task: { description: task }, metadata: { probe: true } });
  for await (const event of hub.follow(run.id, -1, signal)) if (event.type === "run.ended") break;
  const { status, failure } = await hub.run(run.id);
  return status === "completed" || status === "partial" ? undefined : (failure?.message ?? status);
}
