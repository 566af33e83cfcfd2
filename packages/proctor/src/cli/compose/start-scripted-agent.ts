// A scripted agent on a socket of its own, put together from the real parts: A2A over JSON-RPC and HTTP+JSON, and ATP over HTTP and
// WebSocket, at one address.
import type { GrpcListening } from "../../channels/grpc/listen-grpc.ts";
import { acceptSocket } from "../../channels/websocket/accept-socket.ts";
import { getPath } from "hono/utils/url";
import type { Clock } from "../../core/ports/clock.ts";
import { createHttpAgent } from "../../doubles/agent/serve-http.ts";
import { serveSocket, SUBPROTOCOL } from "../../doubles/agent/serve-socket.ts";
import type { ScriptedFault } from "../../doubles/scripted/faults/fault.ts";
import { assembleAgent, type ScriptedAgentHandle } from "../../doubles/scripted/assemble-agent.ts";
import type { CapturedRequest } from "../../doubles/scripted/captured-requests.ts";
import type { ProfileName } from "../../doubles/scripted/profiles.ts";
import type { ScriptFile } from "../../doubles/scripted/script-schema.ts";
import { createAtpFace } from "../../doubles/scripted/atp-face.ts";
import { codecOf } from "../../protocols/a2a/codecs.ts";
import type { PatchLevel } from "../../protocols/a2a/errors.ts";
import type { AgentCard } from "../../protocols/a2a/model.ts";
import { createA2aServer } from "../../protocols/a2a/http/a2a-server.ts";
import { listen } from "../../runtime/http/listen.ts";
import { createAuth } from "../../server/auth.ts";
import { createPushSender } from "./push-sender.ts";
import { refusal } from "./refusal.ts";

export interface StartScriptedAgentOptions {
  /** Port to listen on; 0 takes any free one. */
  port: number;
  script?: Partial<ScriptFile>;
  faults?: readonly ScriptedFault[];
  seed?: number;
  profile?: ProfileName;
  patch?: PatchLevel;
  /** Port of gRPC; it is not served when absent. */
  grpcPort?: number;
  /** True where cards of 0.3 give the address of gRPC as a URL. */
  grpcAsUrl?: boolean;
  clock?: Clock;
  /** Changes the card that the agent would otherwise have. */
  shapeCard?: (card: AgentCard) => AgentCard;
  /** Called when a request over HTTP has its answer, which is sent after this resolves. */
  onAnswer?: (request: CapturedRequest) => Promise<void> | void;
  /** Resolves with the refusal of a request over HTTP that may not pass; cards and the control API stay open. */
  guard?: (request: Request) => Promise<Response | undefined>;
}

export interface StartedScriptedAgent {
  /** Address of A2A: `http://127.0.0.1:41200`. */
  url: string;
  /** Address of gRPC: `grpc://127.0.0.1:50051`. */
  grpcUrl?: string;
  agent: ScriptedAgentHandle;
  /** Stops the agent; what is under way is cut. */
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
const KEEP_ALIVE_MS = 15_000;

export const codecs = { "1.0": codecOf("1.0"), "0.3": codecOf("0.3") };

/** Listens on loopback only, and refuses requests that a web page makes. Throws CONFIG_INVALID. */
export async function startScriptedAgent(options: StartScriptedAgentOptions): Promise<StartedScriptedAgent> {
  const { port, script = {}, patch, onAnswer } = options;
  const { rules, fallback, name, card } = script;
  const seed = options.seed ?? script.seed;
  const auth = createAuth({ tokens: [], host: HOST });
  const stopping = new AbortController();
  /** Address of gRPC, as cards give it. */
  let address: string | undefined;
  const push = createPushSender(codecs, stopping.signal);
  const agent = assembleAgent({
    codecs,
    // An agent with a patch level of 1.0 has clients of 1.0: they may ask for the card without a version.
    serve: (service) => createA2aServer({ service, ...(patch && { patch, unversionedCard: "1.0" }) }),
    notify: push,
    ...(rules && { rules }),
    ...(fallback && { fallback }),
    ...(name !== undefined && { name }),
    ...(card && { card }),
    ...(seed !== undefined && { seed }),
    ...(options.faults && { faults: options.faults }),
    ...(options.profile && { profile: options.profile }),
    ...(options.clock && { clock: options.clock }),
    ...(options.shapeCard && { shapeCard: options.shapeCard }),
    ...(onAnswer && { onAnswer }),
    check: (request) => auth.checkPlace(request),
    grpc: () => address,
    ...(options.grpcAsUrl === true && { grpcAsUrl: true }),
  });
  const atp = createAtpFace(agent.services.main);
  const http = createHttpAgent({ agent: atp, signal: stopping.signal });
  const listening = await listen({
    host: HOST,
    port,
    app: {
      async fetch(request, bindings) {
        const kept = isOpen(request) ? undefined : await options.guard?.(request);
        if (kept) return kept;
        if (!isAtp(request)) return agent.app.fetch(request, bindings);
        const refused = refusal(() => auth.checkPlace(request));
        return refused ?? http.fetch(request, () => void bindings.outgoing?.destroy());
      },
      async upgrade(request) {
        const offered = request.headers.get("sec-websocket-protocol")?.split(",") ?? [];
        const agreed = offered.some((protocol) => protocol.trim() === SUBPROTOCOL);
        return (
          refusal(() => auth.checkPlace(request)) ?? {
            service: {
              protocols: [SUBPROTOCOL],
              serve: (socket) => serveSocket(socket, atp, stopping.signal),
            },
            protocol: agreed ? SUBPROTOCOL : undefined,
            headers: {},
            ended: () => undefined,
          }
        );
      },
      endStreams: () => agent.app.endStreams(),
    },
    acceptSocket: (upgrade) =>
      acceptSocket({ ...upgrade, maxMessageBytes: MAX_MESSAGE_BYTES, keepAliveMs: KEEP_ALIVE_MS }),
  });
  const close = async (): Promise<void> => {
    stopping.abort();
    agent.clearState();
    await grpc?.close(0);
    await listening.close(0);
  };
  let grpc: GrpcListening | undefined;
  if (options.grpcPort !== undefined) {
    const { serveScriptedGrpc } = await import("./serve-scripted-grpc.ts");
    const serving = { agent, origin: listening.url, root: options.profile ?? "main", auth };
    grpc = await serveScriptedGrpc(options.grpcPort, serving, { stopping: stopping.signal, patch }).catch(
      async (error: unknown) => {
        await close();
        throw error;
      },
    );
    address = new URL(grpc.url).host;
  }
  return { url: listening.url, ...(grpc && { grpcUrl: grpc.url }), agent, close };
}

/** Whether a request needs no credentials: clients learn from the card how to authenticate. */
function isOpen(request: Request): boolean {
  return /^\/__control\/|\/\.well-known\//.test(getPath(request));
}

function isAtp(request: Request): boolean {
  return /\/execute(?:\/stream)?$/.test(getPath(request));
}
