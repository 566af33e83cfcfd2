// The tools of an MCP server that is reached by its URL, as capabilities.
import type { AgentProfile, Capability } from "../../core/agent-profile.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";

const TIMEOUT_MS = 10_000;
const MAX_TOOLS = 100;
const MAX_TEXT = 1000;

/** Rejects where no MCP server answers. */
export async function listMcpTools(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<AgentProfile> {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const client = new Client({ name: "proctor", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { ...headers }, redirect: "error" },
  });
  try {
    await client.connect(transport, { timeout: TIMEOUT_MS, signal });
    const { tools } = await client.listTools(undefined, { timeout: TIMEOUT_MS, signal });
    const server = client.getServerVersion();
    return {
      ...(server?.version !== undefined && server.version !== "" && { version: server.version }),
      capabilities: tools.slice(0, MAX_TOOLS).map(capabilityOf),
    };
  } finally {
    await client.close();
  }
}

interface Tool {
  name: string;
  description?: string | undefined;
  inputSchema: unknown;
  outputSchema?: unknown;
}

function capabilityOf({ name, description, inputSchema, outputSchema }: Tool): Capability {
  return {
    name,
    ...(description !== undefined && description !== "" && { description: description.slice(0, MAX_TEXT) }),
    ...schema("parameters", inputSchema),
    ...schema("returns", outputSchema),
  };
}

function schema(key: "parameters" | "returns", value: unknown): { [key: string]: JsonObject } {
  return isJsonObject(value) ? { [key]: value } : {};
}
