// The tools of a session: each definition as something that can be called, MCP servers connected.
import { messageOf } from "../../core/message-of.ts";
import { resolve } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { ToolDefinition, ToolSet } from "../../core/tools.ts";
import type { AssertAllowed } from "./allow-hosts.ts";
import { createForward } from "./forward-tool.ts";
import { connectInPlace } from "./mcp-place.ts";
import type { ConnectedMcp } from "./mcp-server.ts";
import { createMockTool } from "./mock-tool.ts";
import type { OfferedTool } from "./offered-tool.ts";
import { createRecorder } from "./record-tool.ts";
import { readRecording, type RecordedCall } from "./recording.ts";
import type { Redact } from "./redact-line.ts";
import { createReplay } from "./replay-tool.ts";
import { offerScript, type ScriptSource } from "./script-tool.ts";
import type { OpenToolPlace, StartProcess } from "./tool-process.ts";

interface OfferOptions {
  runId: string;
  clock: Clock;
  assertAllowed: AssertAllowed;
  startProcess: StartProcess;
  /** Opens environments for tools; absent where there are none. */
  openPlace?: OpenToolPlace;
  /** The script tools of the hub; absent where there is no hub. */
  scripts?: ScriptSource;
  redact: Redact;
  signal: AbortSignal;
}

export interface Offer {
  /** The tools by their names. */
  tools: ReadonlyMap<string, OfferedTool>;
  close(): Promise<void>;
}

/** Throws a ProctorError when one of the tools cannot be offered; nothing stays open then. */
export async function offerTools(set: ToolSet, options: OfferOptions): Promise<Offer> {
  const recordings = new Map<string, Promise<RecordedCall[]>>();
  const tools = new Map<string, OfferedTool>();
  for (const definition of set.tools) {
    if (tools.has(definition.name)) throw invalid(`the tool "${definition.name}" is defined twice`);
    tools.set(definition.name, await offer(definition, set, recordings, options));
  }
  for (const name of set.scripts ?? []) {
    if (tools.has(name)) throw invalid(`the tool "${name}" is defined twice`);
    tools.set(name, await offerScript(name, options.scripts));
  }
  const servers: ConnectedMcp[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.close()));
  };
  try {
    const listed = new Set(tools.keys());
    for (const [index, server] of (set.mcp ?? []).entries()) {
      const place = { environment: set.environment, id: `${options.runId}-tools-${index}` };
      const connected = await connectInPlace(server, place, options);
      servers.push(connected);
      for (const tool of connected.tools) {
        // A listed tool replaces the server's tool of the same name.
        if (listed.has(tool.name)) continue;
        if (tools.has(tool.name)) {
          throw invalid(
            `two MCP servers have a tool "${tool.name}"\nname the wanted ones under "tools" of a server`,
          );
        }
        tools.set(tool.name, tool);
      }
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { tools, close };
}

async function offer(
  definition: ToolDefinition,
  set: ToolSet,
  recordings: Map<string, Promise<RecordedCall[]>>,
  { clock, assertAllowed, redact }: OfferOptions,
): Promise<OfferedTool> {
  const { name, description, forward, record, replay } = definition;
  const head = { name, ...(description !== undefined && { description }) };
  const options = { assertAllowed, redact };
  if (forward) return { ...head, mode: "forward", call: createForward(name, forward, options) };
  if (record) {
    const { file, ...target } = record;
    const call = createRecorder(createForward(name, target, options), { name, file, clock, redact });
    return { ...head, mode: "record", call };
  }
  if (replay) {
    const file = resolve(replay.file);
    const reading = recordings.get(file) ?? readRecording(file);
    recordings.set(file, reading);
    return { ...head, mode: "replay", call: createReplay({ name, calls: await reading, redact }) };
  }
  try {
    return createMockTool(definition, { clock, defaultDelayMs: set.default_delay_ms ?? 0 });
  } catch (error) {
    throw invalid(`the tool "${name}" cannot be mocked: ${messageOf(error)}`);
  }
}

function invalid(message: string): ProctorError {
  return new ProctorError("INVALID_REQUEST", message);
}
