// The tools of an MCP server, started or connected to once per session, offered under their own names.
// Only types: the library itself is loaded when a session has a server.
import { randomUUID } from "node:crypto";
import { messageOf } from "../../core/message-of.ts";
import type * as Library from "@modelcontextprotocol/client";
import type { Client, StreamableHTTPClientTransport, Transport } from "@modelcontextprotocol/client";
import { formatCommandLine } from "../../core/command-line.ts";
import { ProctorError } from "../../core/errors.ts";
import { isJsonObject, type Json } from "../../core/json.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { suggest } from "../../core/suggest.ts";
import type { McpServer } from "../../core/tools.ts";
import { waitAtMost } from "../../core/wait-at-most.ts";
import type { AssertAllowed } from "./allow-hosts.ts";
import { DEFAULT_TIMEOUT_MS } from "./forward-tool.ts";
import { createMcpFetch } from "./mcp-http.ts";
import { answerOf } from "./mcp-result.ts";
import { createMcpStdio, type McpStdio } from "./mcp-stdio.ts";
import { errorAnswer, type OfferedTool } from "./offered-tool.ts";
import type { Redact } from "./redact-line.ts";
import type { StartProcess } from "./tool-process.ts";

export interface McpOptions {
  runId: string;
  clock: Clock;
  assertAllowed: AssertAllowed;
  startProcess: StartProcess;
  /** Hides secrets in what the server says about itself when it fails. */
  redact: Redact;
  signal: AbortSignal;
}

export interface ConnectedMcp {
  tools: OfferedTool[];
  close(): Promise<void>;
}

/** Milliseconds that a server has to accept the end of its session. */
const TERMINATE_MS = 1000;

interface Connection {
  client: Client;
  stdio?: McpStdio;
  close(): Promise<void>;
}

/** Throws CONFIG_INVALID when the server cannot be started, reached or understood, FORBIDDEN when it may not be used. */
export async function connectMcp(server: McpServer, options: McpOptions): Promise<ConnectedMcp> {
  const title = titleOf(server);
  const timeoutMs = typeof server["timeout_ms"] === "number" ? server["timeout_ms"] : DEFAULT_TIMEOUT_MS;
  const connection = await connect(server, title, timeoutMs, options);
  const { client, stdio } = connection;

  const callTool =
    (name: string): OfferedTool["call"] =>
    async ({ input, traceparent }, signal) => {
      if (!isJsonObject(input)) return errorAnswer(`${name} is an MCP tool and takes an object as its input`);
      try {
        const asked = {
          name,
          arguments: input,
          ...(traceparent !== undefined && { _meta: { traceparent } }),
        };
        const result = await client.callTool(asked, { signal, timeout: timeoutMs });
        // It came as JSON.
        return answerOf(name, result as unknown as Json);
      } catch (error) {
        signal.throwIfAborted();
        const ending = stdio?.ending();
        const why = ending === undefined ? messageOf(error) : `${title} is gone: ${ending}`;
        return errorAnswer(`${name} failed: ${options.redact(why)}`);
      }
    };

  try {
    const { tools: listed } = await client.listTools(undefined, {
      timeout: timeoutMs,
      signal: options.signal,
    });
    assertOffered(
      server.tools ?? [],
      listed.map(({ name }) => name),
      title,
    );
    const wanted = listed.filter(({ name }) => server.tools?.includes(name) ?? true);
    const tools = wanted.map(({ name, description, inputSchema }): OfferedTool => {
      return {
        name,
        ...(description !== undefined && { description }),
        // It came as JSON.
        inputSchema: inputSchema as OfferedTool["inputSchema"] & object,
        mode: "mcp",
        call: callTool(name),
      };
    });
    return { tools, close: () => connection.close() };
  } catch (error) {
    const ending = stdio?.ending();
    await connection.close();
    throw ProctorError.is(error) ? error : failed(title, ending ?? messageOf(error), options, error);
  }
}

/** Connects with the long-standing revision first; a server that refuses it is asked which revision it speaks. */
async function connect(
  server: McpServer,
  title: string,
  timeoutMs: number,
  options: McpOptions,
): Promise<Connection> {
  const library = await import("@modelcontextprotocol/client");
  let refusal: unknown;
  for (const mode of ["legacy", "auto"] as const) {
    const transport = open(server, options, library);
    const client = new library.Client(
      { name: "proctor", version: "1.0.0" },
      { versionNegotiation: { mode } },
    );
    const stdio = "ending" in transport ? transport : undefined;
    const close = (): Promise<void> => closeAll(client, transport, options.clock);
    try {
      await client.connect(transport, { timeout: timeoutMs, signal: options.signal });
      return { client, close, ...(stdio && { stdio }) };
    } catch (error) {
      const ending = stdio?.ending();
      await close();
      options.signal.throwIfAborted();
      refusal = error;
      const answered = error instanceof library.ProtocolError || error instanceof library.SdkHttpError;
      if (ending !== undefined || !answered) throw failed(title, ending ?? messageOf(error), options, error);
    }
  }
  throw failed(title, messageOf(refusal), options, refusal);
}

function open(
  server: McpServer,
  { runId, clock, assertAllowed, startProcess }: McpOptions,
  library: typeof Library,
): McpStdio | StreamableHTTPClientTransport {
  if (server.url !== undefined) {
    const url = assertAllowed(server.url, "the MCP server");
    const headers = server.headers ?? {};
    return new library.StreamableHTTPClientTransport(url, {
      requestInit: { headers, redirect: "manual" },
      fetch: createMcpFetch(url),
      reconnectionOptions: {
        initialReconnectionDelay: 500,
        maxReconnectionDelay: 5000,
        reconnectionDelayGrowFactor: 2,
        maxRetries: 2,
      },
    });
  }
  const { command = [], env = {}, cwd } = server;
  const program = startProcess({
    command,
    // The server has its own mark, because processes with the run's mark are killed with the agent, and others with their server.
    env: { ...env, PROCTOR_RUN_ID: `${runId}-tools-${randomUUID()}` },
    ...(typeof cwd === "string" && { cwd }),
  });
  return createMcpStdio(program, { deserialize: library.deserializeMessage, clock });
}

async function closeAll(client: Client, transport: Transport, clock: Clock): Promise<void> {
  if ("terminateSession" in transport && typeof transport.terminateSession === "function") {
    // A server that keeps sessions may end this one; many cannot, and some do not answer.
    const told = Promise.resolve(transport.terminateSession()).catch(() => {});
    await waitAtMost(clock, TERMINATE_MS, told);
  }
  await client.close().catch(() => {});
  await transport.close().catch(() => {});
}

function assertOffered(wanted: readonly string[], offered: readonly string[], title: string): void {
  const missing = wanted.find((name) => !offered.includes(name));
  if (missing === undefined) return;
  const near = suggest(missing, offered);
  const next = near === undefined ? `it has: ${offered.join(", ") || "none"}` : `did you mean "${near}"?`;
  throw new ProctorError("CONFIG_INVALID", `the MCP server ${title} has no tool "${missing}"\n${next}`);
}

function failed(title: string, why: string, { redact }: McpOptions, cause: unknown): ProctorError {
  const next = "start it by hand to see whether it runs";
  return new ProctorError(
    "CONFIG_INVALID",
    `the MCP server ${title} cannot be used: ${redact(why)}\n${next}`,
    {
      cause,
    },
  );
}

/** Returns the name of the server in messages. */
function titleOf({ command = [], url }: McpServer): string {
  if (url !== undefined) return `at ${URL.canParse(url) ? new URL(url).host : "?"}`;
  return `"${formatCommandLine(command)}"`;
}
