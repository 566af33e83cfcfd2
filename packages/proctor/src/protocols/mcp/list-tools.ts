// The tools of an MCP server as capabilities, for whoever registers or probes it.
import { createHttpClient } from "../../channels/http/client.ts";
import type { AgentProfile, Capability } from "../../core/agent-profile.ts";
import type { AgentSpec } from "../../core/agent.ts";
import type { Failure } from "../../core/failure.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { unusable } from "./errors.ts";
import { answerOf, openSession, type McpSession } from "./session.ts";
import { toolList, type McpTool } from "./wire.ts";

const MAX_TOOLS = 100;
const MAX_PAGES = 20;
const MAX_TEXT = 1000;

export type ListedTools = { ok: true; profile: AgentProfile } | { ok: false; failure: Failure };

/** Never rejects. */
export async function listTools({ url = "", headers }: AgentSpec, signal: AbortSignal): Promise<ListedTools> {
  const given = {
    client: createHttpClient(),
    url: new URL(url),
    headers: { "user-agent": "proctor", ...headers },
  };
  const opened = await openSession(given, signal);
  if ("refused" in opened) return opened.refused;
  const { session } = opened;
  try {
    const { version = "" } = session;
    const tools = await readPages(session, signal);
    if ("failure" in tools) return { ok: false, failure: tools.failure };
    const capabilities = tools.slice(0, MAX_TOOLS).map(capabilityOf);
    return { ok: true, profile: { ...(version !== "" && { version }), capabilities } };
  } finally {
    await session.close(signal);
  }
}

async function readPages(
  session: McpSession,
  signal: AbortSignal,
): Promise<McpTool[] | { failure: Failure }> {
  const tools: McpTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && tools.length < MAX_TOOLS; page++) {
    const answer = await answerOf(session.ask("tools/list", cursor === undefined ? {} : { cursor }, signal));
    if (!answer.ok) return { failure: answer.failure };
    const { data } = toolList.safeParse(answer.result);
    if (data === undefined) return { failure: unusable("tools/list with no list of tools") };
    tools.push(...data.tools);
    cursor = data.nextCursor;
    if (cursor === undefined) break;
  }
  return tools;
}

function capabilityOf({ name, description = "", inputSchema, outputSchema }: McpTool): Capability {
  return {
    name,
    ...(description !== "" && { description: description.slice(0, MAX_TEXT) }),
    ...schema("parameters", inputSchema),
    ...schema("returns", outputSchema),
  };
}

function schema(key: "parameters" | "returns", value: Json | undefined): { [key: string]: JsonObject } {
  return isJsonObject(value) ? { [key]: value } : {};
}
