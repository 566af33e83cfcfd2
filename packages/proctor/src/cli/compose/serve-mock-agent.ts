// A recorded agent on a socket of its own or on the standard pipes, put together from the real parts.
import { acceptSocket } from "../../channels/websocket/accept-socket.ts";
import { ProctorError } from "../../core/errors.ts";
import { whenAborted } from "../../core/when-aborted.ts";
import { parseFault } from "../../doubles/agent/fault.ts";
import { createMockAgent, type MockAgent, type NamedRecording } from "../../doubles/agent/mock-agent.ts";
import { createHttpAgent } from "../../doubles/agent/serve-http.ts";
import { serveSocket, SUBPROTOCOL } from "../../doubles/agent/serve-socket.ts";
import { speakStdio } from "../../doubles/agent/speak-stdio.ts";
import { callTool } from "../../protocols/atp/replay/call-tool.ts";
import { createAuth } from "../../server/auth.ts";
import { listen } from "../../runtime/http/listen.ts";
import { loadRecordings } from "./load-recordings.ts";

const HOST = "127.0.0.1";
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
const KEEP_ALIVE_MS = 15_000;

export interface MockAgentReady {
  /** Addresses of the agent, as `--agent` takes them. */
  addresses: readonly string[];
  recordings: readonly string[];
}

export interface MockAgentTask {
  taskId: string;
  description: string;
  /** Name of the recording that the task was answered from. */
  file: string;
  outcome: "answered" | "silent" | "cut" | "left";
}

export interface ServeMockAgentOptions {
  /** Path of a recording, or of a folder of recordings. */
  path: string;
  faults: readonly string[];
  seed: number;
  speed: number;
  port: number;
  onReady: (info: MockAgentReady) => void;
  onTask: (task: MockAgentTask) => void;
  /** Streams over which one task is answered, instead of a socket. */
  stdio?: {
    stdin: AsyncIterable<Uint8Array | string>;
    writeOut: (line: string) => void;
    writeError: (line: string) => void;
  };
  /** Stops the mock when aborted. */
  signal: AbortSignal;
}

export async function serveMockAgent(options: ServeMockAgentOptions): Promise<number> {
  const { path, seed, speed, onTask, stdio, signal } = options;
  const faults = options.faults.map(parseFault);
  const recordings = await loadRecordings(path);
  refuseOthers(recordings[0]);
  const agent = createMockAgent({ recordings, faults, seed, speed, callTool, onTask });
  if (stdio) return speakStdio(agent, stdio, signal);
  await serveHere(agent, recordings, options);
  return 0;
}

/** Listens on loopback only, and refuses requests that a web page makes. */
async function serveHere(
  agent: MockAgent,
  recordings: readonly NamedRecording[],
  { port, onReady, signal }: ServeMockAgentOptions,
): Promise<void> {
  const auth = createAuth({ tokens: [], host: HOST });
  const http = createHttpAgent({ agent, signal });
  const refused = (request: Request): Response | undefined => {
    try {
      auth.checkPlace(request);
      return undefined;
    } catch (error) {
      if (!ProctorError.is(error)) throw error;
      return Response.json({ error: error.message }, { status: error.status });
    }
  };
  const listening = await listen({
    host: HOST,
    port,
    app: {
      fetch: async (request, { outgoing }) =>
        refused(request) ?? http.fetch(request, () => void outgoing?.destroy()),
      async upgrade(request) {
        const offered = request.headers.get("sec-websocket-protocol")?.split(",") ?? [];
        const agreed = offered.some((name) => name.trim() === SUBPROTOCOL);
        return (
          refused(request) ?? {
            service: { protocols: [SUBPROTOCOL], serve: (socket) => serveSocket(socket, agent, signal) },
            protocol: agreed ? SUBPROTOCOL : undefined,
            headers: {},
            ended: () => undefined,
          }
        );
      },
    },
    acceptSocket: (upgrade) =>
      acceptSocket({ ...upgrade, maxMessageBytes: MAX_MESSAGE_BYTES, keepAliveMs: KEEP_ALIVE_MS }),
  });
  onReady({
    addresses: [`atp+${listening.url}`, `atp+${listening.url.replace(/^http/, "ws")}`],
    recordings: recordings.map(({ file }) => file),
  });
  await whenAborted(signal);
  await listening.close(0);
}

function refuseOthers({ file, recording }: NamedRecording): void {
  if (recording.header.protocol === "atp") return;
  throw new ProctorError(
    "FILE_UNREADABLE",
    `the recording ${file} is of an agent that speaks neither ATP nor A2A\nrecord another one, with: proctor run --record`,
  );
}
