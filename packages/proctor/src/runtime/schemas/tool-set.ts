// A set of tools as it is written in YAML. Strict: unknown keys, two behaviours of one tool and invalid patterns
// are refused. The files of the ATP platform's mock tools are read as they are.
import { resolve } from "node:path";
import { z } from "zod";
import { ENVIRONMENT_KINDS, NETWORK_MODES } from "../../core/environment.ts";
import { given } from "../../core/given.ts";
import { isJsonObject } from "../../core/json.ts";
import type { McpServer, ToolDefinition, ToolEnvironment, ToolSet } from "../../core/tools.ts";
import { agentParts } from "./agent-parts.ts";
import { addError, dispatch } from "../yaml/findings.ts";
import { quote } from "../../core/printable.ts";
import { integerUpTo } from "../yaml/scalars.ts";
import { delay, mockAnswer, mockRule } from "./tool-rules.ts";

/** Longest timeout in milliseconds: the HTTP client gives up after this time anyway. */
const MAX_TIMEOUT_MS = 300_000;
const MAX_NAME_CHARS = 128;

const text = z.string().min(1);
const timeout = integerUpTo(1, MAX_TIMEOUT_MS);

// A text that is not a URL at all has been reported already.
const url = agentParts.url.refine((value) => !/^(?:wss?|grpc):/i.test(value), {
  message: `"url" is not valid here`,
  params: { hint: "write it like http://host:port/path" },
});

const target = { url, headers: agentParts.headers.nullish(), timeout_ms: timeout.nullish() };

const name = text
  .max(MAX_NAME_CHARS)
  .regex(/^[^\s/?#%\p{Cc}]+$/u, "a tool's name stands in a URL: it has no blank and none of / ? # %");

const tool: z.ZodType<ToolDefinition> = z
  .strictObject({
    name,
    description: z.string().nullish(),
    responses: z.array(mockRule).nullish(),
    default: mockAnswer.nullish(),
    forward: z.strictObject(target).transform(given).nullish(),
    record: z
      .strictObject({ ...target, file: text })
      .transform(given)
      .nullish(),
    replay: z.strictObject({ file: text }).nullish(),
  })
  .superRefine(checkBehaviour)
  // Only absent keys are removed; the rest was checked key by key. The same holds below.
  .transform((value) => given(value) as unknown as ToolDefinition);

const mcpServer: z.ZodType<McpServer> = z
  .strictObject({
    command: agentParts.command.nullish(),
    url: url.nullish(),
    env: agentParts.env.nullish(),
    headers: agentParts.headers.nullish(),
    cwd: agentParts.cwd.nullish(),
    tools: z.array(text).nullish(),
    timeout_ms: timeout.nullish(),
  })
  .superRefine(checkServer)
  .transform((value) => given(value) as unknown as McpServer);

const kind = z.enum(ENVIRONMENT_KINDS);

const place: z.ZodType<ToolEnvironment> = z
  .strictObject({
    kind,
    network: z.enum(NETWORK_MODES).nullish(),
    allow_hosts: z.array(text).nullish(),
  })
  .superRefine(({ network, allow_hosts: hosts }, context) => {
    if ((hosts != null) === (network === "allow-list")) return;
    const message = `"allow_hosts" and the network "allow-list" belong together`;
    addError(context, new Error(`${message}\ngive both, or neither`));
  })
  .transform((value) => given(value) as unknown as ToolEnvironment);

const kindAlone = kind.transform((value): ToolEnvironment => ({ kind: value }));

const environment = dispatch<ToolEnvironment>((value) => (typeof value === "string" ? kindAlone : place), {
  forms: () => [kindAlone, place],
});

export const toolSetSchema: z.ZodType<ToolSet> = z
  .strictObject({
    name: z.string().nullish(),
    description: z.string().nullish(),
    default_delay_ms: delay.nullish(),
    tools: z.array(tool).nullish(),
    mcp: z.array(mcpServer).nullish(),
    scripts: z.array(name).nullish(),
    environment: environment.nullish(),
  })
  .superRefine(({ tools }, context) => {
    const seen = new Map<string, number>();
    for (const [index, { name }] of (tools ?? []).entries()) {
      const first = seen.get(name);
      if (first === undefined) seen.set(name, index);
      else {
        const hint = `entry ${first + 1} of "tools" has the same name`;
        addError(context, new Error(`tool ${quote(name)} is here twice\n${hint}`), ["tools", index, "name"]);
      }
    }
  })
  // A set that only has MCP servers lists no tools.
  .transform((value) => ({ tools: [], ...given(value) }));

/** Resolves files and programs from the folder of the file that names them, unless it says otherwise. */
export function placeTools(set: ToolSet, folder: string): ToolSet {
  return {
    ...set,
    tools: set.tools.map((tool) => ({
      ...tool,
      ...(tool.record && { record: { ...tool.record, file: resolve(folder, tool.record.file) } }),
      ...(tool.replay && { replay: { ...tool.replay, file: resolve(folder, tool.replay.file) } }),
    })),
    ...(set.mcp && { mcp: set.mcp.map((server) => placeServer(server, folder)) }),
  };
}

function placeServer(server: McpServer, folder: string): McpServer {
  if (server.command === undefined) return server;
  const { cwd } = server;
  return { ...server, cwd: resolve(folder, typeof cwd === "string" ? cwd : ".") };
}

const BEHAVIOURS = ["forward", "record", "replay"] as const;
const ALL = `"responses" or "default", "forward", "record", "replay"`;

function checkBehaviour(tool: object, context: z.RefinementCtx): void {
  if (!isJsonObject(tool)) return;
  const mock = ["responses", "default"].filter((key) => tool[key] != null);
  const others = BEHAVIOURS.filter((key) => tool[key] != null);
  // A misspelt key has been reported already.
  if (mock.length === 0 && others.length === 0 && context.issues.length === 0) {
    addError(context, new Error(`this tool says nothing about what it answers\ngive it one of: ${ALL}`));
  }
  const [first = "", second] = [...mock.slice(0, 1), ...others];
  if (second === undefined) return;
  const message = `a tool has one behaviour, and this one has ${quote(first)} and ${quote(second)}`;
  context.addIssue({
    code: "custom",
    path: [second],
    message,
    params: { at: "key", hint: `keep one of: ${ALL}` },
  });
}

function checkServer(
  server: { command?: unknown; url?: unknown; [key: string]: unknown },
  context: z.RefinementCtx,
): void {
  const isProgram = server.command != null;
  if (isProgram === (server.url != null)) {
    addError(
      context,
      new Error(isProgram ? `give "command" or "url", not both` : `missing "command" or "url"`),
    );
    return;
  }
  for (const key of isProgram ? ["headers"] : ["env", "cwd"]) {
    if (server[key] == null) continue;
    const message = `${quote(key)} belongs to a server with ${isProgram ? '"url"' : '"command"'}`;
    context.addIssue({ code: "custom", path: [key], message, params: { at: "key" } });
  }
}
