// What is at a URL that a client registers without saying what it speaks: an agent with an A2A card, an MCP server with tools, or an agent
// of ATP. What it says about itself becomes its profile.
import type { Discovered } from "../../agents/registration-spec.ts";
import { createHttpClient } from "../../channels/http/client.ts";
import type { AgentProfile } from "../../core/agent-profile.ts";
import { ProctorError } from "../../core/errors.ts";
import { newTraceId } from "../../core/trace.ts";
import { discoverCard } from "../../protocols/a2a/card/discover-card.ts";
import { ANONYMOUS } from "../../protocols/a2a/client/auth/client-auth.ts";
import type { AgentCard } from "../../protocols/a2a/model.ts";
import { identify } from "../../protocols/atp/probe.ts";
import { listTools } from "../../protocols/mcp/list-tools.ts";

const TIMEOUT_MS = 15_000;
const MAX_TEXT = 1000;
const MAX_CAPABILITIES = 100;

/** Throws INVALID_REQUEST, which says what was tried. */
export async function discoverAgent(address: string): Promise<Discovered> {
  const url = new URL(address);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const transport = url.protocol.slice(0, -1);
  const at = (protocol: string, profile: AgentProfile): Discovered => ({
    spec: { protocol, transport, url: address },
    profile,
  });
  const reasons: string[] = [];
  const card = await findCard(url, signal);
  if (typeof card !== "string") return at("a2a", profileOf(card));
  reasons.push(`no A2A card (${card})`);
  const tools = await listTools({ protocol: "mcp", transport, url: address }, signal);
  if (tools.ok) return at("mcp", tools.profile);
  reasons.push(`no MCP server (${tools.failure.message.split("\n")[0]})`);
  const atp = await identify({ protocol: "atp", transport, url: address }, signal);
  if (atp.alive) return at("atp", {});
  reasons.push(`no agent of ATP (${atp.trouble})`);
  const message = `nothing at ${url.origin}${url.pathname} describes itself: ${reasons.join("; ")}\nput the agent's protocol in front, for example rest+${address}`;
  throw new ProctorError("INVALID_REQUEST", message, {
    details: [{ path: "endpoint", message: reasons.join("; ") }],
  });
}

async function findCard(url: URL, signal: AbortSignal): Promise<AgentCard | string> {
  const found = await discoverCard({
    url,
    http: createHttpClient(),
    auth: ANONYMOUS,
    headers: { "user-agent": "proctor" },
    call: { traceId: newTraceId(), signal, extensions: [] },
  });
  return found.ok ? found.card : (found.tried.at(-1)?.why ?? "nothing there");
}

/** Returns the profile that a card describes. Skills are capabilities: their ids are the names that clients ask for. */
function profileOf({ description, version, skills }: AgentCard): AgentProfile {
  const known = new Map(skills.map((skill) => [skill.id, skill]));
  const capabilities = [...known.values()].slice(0, MAX_CAPABILITIES).map((skill) => ({
    name: skill.id.slice(0, MAX_TEXT),
    ...(skill.description !== "" && { description: skill.description.slice(0, MAX_TEXT) }),
    ...(skill.tags.length > 0 && { tags: skill.tags.slice(0, 50) }),
    ...(skill.examples && skill.examples.length > 0 && { examples: skill.examples.slice(0, 50) }),
  }));
  return {
    ...(description !== "" && { description: description.slice(0, MAX_TEXT) }),
    ...(version !== "" && { version }),
    ...(capabilities.length > 0 && { capabilities }),
  };
}
