// The secrets inside the definitions of tools: headers of tools that calls are passed on to, environments of MCP servers.
import { MASK, maskValues } from "../core/agent.ts";
import type { Secret } from "../core/redact.ts";
import type { ForwardTarget, McpServer, ToolSet } from "../core/tools.ts";

export function secretsOf(values: Record<string, string> | undefined): Secret[] {
  return Object.entries(values ?? {})
    .filter(([, value]) => value !== "" && value !== MASK)
    .map(([name, value]) => ({ name, value }));
}

const SCHEME_AND_TOKEN = /^[A-Za-z][\w-]* +(\S{8,})$/;

/** Returns the secrets of headers. A token is secret without the word before it, too: for `Bearer abc…` both texts are hidden. */
export function secretsOfHeaders(headers: Record<string, string> | undefined): Secret[] {
  return secretsOf(headers).flatMap((secret) => {
    const token = SCHEME_AND_TOKEN.exec(secret.value)?.[1];
    return token === undefined ? [secret] : [secret, { name: secret.name, value: token }];
  });
}

export function secretsOfTools({ tools, mcp = [] }: ToolSet): Secret[] {
  return [
    ...tools.flatMap(({ forward, record }) => [
      ...secretsOfHeaders(forward?.headers),
      ...secretsOfHeaders(record?.headers),
    ]),
    ...mcp.flatMap(({ env, headers }) => [...secretsOf(env), ...secretsOfHeaders(headers)]),
  ];
}

/** Returns the definitions as they may be written down. */
export function maskTools(set: ToolSet): ToolSet {
  return {
    ...set,
    tools: set.tools.map((tool) => ({
      ...tool,
      ...(tool.forward && { forward: masked(tool.forward) }),
      ...(tool.record && { record: { ...masked(tool.record), file: tool.record.file } }),
    })),
    ...(set.mcp && { mcp: set.mcp.map(masked) }),
  };
}

function masked<T extends ForwardTarget | McpServer>(target: T): T {
  const { env, headers }: Pick<McpServer, "env" | "headers"> = target;
  return {
    ...target,
    ...(env && { env: maskValues(env) }),
    ...(headers && { headers: maskValues(headers) }),
  };
}
