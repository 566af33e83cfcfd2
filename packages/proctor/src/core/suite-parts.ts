// Parts of a suite that is derived from something else: its agents, and texts that mean themselves.
import { isAddress } from "./address.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import type { Hub } from "./ports/hub.ts";

/** Files of ours replace `${NAME}` by a variable, unless there is another `$` in front. */
const VARIABLE = /\$\{(?=[A-Z_][A-Z0-9_]*(?::[^}]*)?\})/g;

/** Returns a check that a run ended with this status. */
export const statusCheck = (status: string): JsonObject => ({ type: "status", config: { is: status } });

/** Returns the agent as a suite writes it. Its secrets are not known, and not written down. */
export async function suiteAgent(
  hub: Pick<Hub, "agent">,
  agent: string,
  number: number,
): Promise<JsonObject> {
  if (isAddress(agent)) return { name: `agent-${number}`, address: agent };
  const known = await hub.agent(agent).catch(() => undefined);
  if (known === undefined) return { name: agent, address: agent };
  const { address, cwd, options } = known;
  return { name: agent, address, ...(cwd !== undefined && { cwd }), ...(options && { options }) };
}

/** Returns the value with every text escaped, so that reading it back yields the same text. */
export function escapeVariables(value: Json): Json {
  if (typeof value === "string") return value.replaceAll(VARIABLE, () => "$${");
  if (Array.isArray(value)) return value.map(escapeVariables);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, inner]) =>
    inner === undefined ? [] : [[name, escapeVariables(inner)] as const],
  );
  return Object.fromEntries(entries);
}
