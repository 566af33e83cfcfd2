// An MCP server whose program lives where its set says: in an environment of its own, or on the hub's machine.
import { ProctorError } from "../../core/errors.ts";
import type { McpServer, ToolEnvironment } from "../../core/tools.ts";
import { connectMcp, type ConnectedMcp, type McpOptions } from "./mcp-server.ts";
import type { OpenToolPlace } from "./tool-process.ts";

interface McpPlace {
  environment: ToolEnvironment | undefined;
  /** Id of the environment. */
  id: string;
}

interface McpPlaceOptions extends McpOptions {
  openPlace?: OpenToolPlace;
}

/** Throws what `connectMcp` does, and ENVIRONMENT_UNAVAILABLE when there is no such environment. */
export async function connectInPlace(
  server: McpServer,
  { environment, id }: McpPlace,
  options: McpPlaceOptions,
): Promise<ConnectedMcp> {
  const { command, cwd } = server;
  if (environment === undefined || environment.kind === "local" || command === undefined) {
    return connectMcp(server, options);
  }
  if (options.openPlace === undefined) {
    const message = `tools are asked to live in ${environment.kind}, and there are no environments here`;
    throw new ProctorError("ENVIRONMENT_UNAVAILABLE", message);
  }
  const place = await options.openPlace({
    id,
    environment,
    command,
    ...(cwd !== undefined && { cwd }),
    signal: options.signal,
  });
  try {
    const connected = await connectMcp(server, { ...options, startProcess: place.startProcess });
    return {
      tools: connected.tools,
      async close() {
        await connected.close();
        await place.close();
      },
    };
  } catch (error) {
    await place.close();
    throw error;
  }
}
