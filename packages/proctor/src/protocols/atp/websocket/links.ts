// The sockets that are open to agents. Runs of the same agent share one as long as the agent speaks the subprotocol that
// says how; any other agent gets a socket for each run.
import type { AgentSpec } from "../../../core/agent.ts";
import { unlessAborted } from "../../../core/unless-aborted.ts";
import { SocketConnectError } from "../../../channels/websocket/connect-error.ts";
import { connectSocket } from "../../../channels/websocket/connect-socket.ts";
import { createLink, type Link } from "./link.ts";
import { SUBPROTOCOL } from "./subprotocol.ts";

export interface Links {
  /** Resolves with an open socket to the agent. Rejects with a SocketConnectError. */
  lease(spec: AgentSpec, signal: AbortSignal): Promise<Link>;
}

interface Opening {
  link: Promise<Link>;
  connected: boolean;
  /** Number of runs that wait for the connection. */
  waiting: number;
  /** Called when no run waits for the connection any more. */
  giveUp(): void;
}

const CONNECT_TIMEOUT_MS = 15_000;
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

export function createLinks(): Links {
  const openings = new Map<string, Opening>();

  async function connect(spec: AgentSpec, protocols: string[], signal: AbortSignal, onUnfit: () => void) {
    const socket = await connectSocket({
      url: spec.url ?? "",
      protocols,
      signal,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      maxMessageBytes: MAX_MESSAGE_BYTES,
      ...(spec.headers && { headers: spec.headers }),
    });
    return createLink(socket, onUnfit);
  }

  function open(key: string, spec: AgentSpec): Opening {
    const stop = new AbortController();
    const retire = (): void => {
      if (openings.get(key) === opening) openings.delete(key);
    };
    const opening: Opening = {
      link: connect(spec, [SUBPROTOCOL], stop.signal, retire),
      connected: false,
      waiting: 0,
      giveUp() {
        retire();
        stop.abort();
      },
    };
    opening.link.then(() => (opening.connected = true), retire);
    openings.set(key, opening);
    return opening;
  }

  async function join(opening: Opening, signal: AbortSignal): Promise<Link> {
    opening.waiting += 1;
    try {
      return await unlessAborted(opening.link, signal);
    } finally {
      opening.waiting -= 1;
      if (opening.waiting === 0 && !opening.connected) opening.giveUp();
    }
  }

  async function leaseShared(key: string, spec: AgentSpec, signal: AbortSignal): Promise<Link> {
    for (;;) {
      const known = openings.get(key);
      const link = await join(known ?? open(key, spec), signal);
      // A new link is good, so that this ends.
      if (known === undefined || (await unlessAborted(link.isGood(), signal))) return link;
    }
  }

  return {
    async lease(spec, signal) {
      try {
        return await leaseShared(sharedBy(spec), spec, signal);
      } catch (error) {
        if (signal.aborted) throw new SocketConnectError("aborted", "the connection was given up");
        if (!(error instanceof SocketConnectError) || error.kind !== "no-subprotocol") throw error;
        return connect(spec, [], signal, () => {});
      }
    },
  };
}

/** Returns the key of runs that may share a socket: their agent could not tell them apart by it. */
function sharedBy({ url, headers = {} }: AgentSpec): string {
  const names = Object.keys(headers).sort((one, other) => (one < other ? -1 : 1));
  return JSON.stringify([url, names.map((name) => [name, headers[name]])]);
}
