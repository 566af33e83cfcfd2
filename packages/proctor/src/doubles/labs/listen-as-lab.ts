// A lab on a socket: keeps web pages of other sites out, and cuts what is under way when it stops.
import { isLoopback } from "../../runtime/addresses/is-loopback.ts";
import { listen, type NodeBindings } from "../../runtime/http/listen.ts";
import { ApiError, errorResponse } from "../../runtime/openai/api-error.ts";
import { createGuard } from "../guard.ts";

export interface LabConnection {
  /** Aborted when the client leaves or the lab stops. */
  signal: AbortSignal;
  /** Cuts the connection. */
  destroy: () => void;
}

interface LabListenOptions {
  host: string;
  /** Port to listen on; 0 takes any free one. */
  port: number;
  /** Says which requests are open to every client, even web pages, under any host name; none are when absent. */
  isOpen?: (request: Request) => boolean;
  fetch: (request: Request, connection: LabConnection) => Promise<Response>;
}

interface ListeningLab {
  url: string;
  close(): Promise<void>;
}

/** Milliseconds that clients have to read their answers when the lab stops. */
const FLUSH_MS = 1000;

/** Throws CONFIG_INVALID when the address cannot be bound. */
export async function listenAsLab({ host, port, isOpen, fetch }: LabListenOptions): Promise<ListeningLab> {
  const guard = createGuard({ key: undefined, local: isLoopback(host) });
  const underWay = new Set<AbortController>();

  async function answer(request: Request, { outgoing }: NodeBindings): Promise<Response> {
    const stop = new AbortController();
    const leave = (): void => stop.abort(new Error("the client left"));
    request.signal.addEventListener("abort", leave, { once: true });
    underWay.add(stop);
    try {
      if (isOpen?.(request) !== true) guard(request);
      return await fetch(request, { signal: stop.signal, destroy: () => void outgoing?.destroy() });
    } catch (error) {
      if (error instanceof ApiError) return errorResponse(error);
      throw error;
    } finally {
      underWay.delete(stop);
      request.signal.removeEventListener("abort", leave);
    }
  }

  const server = await listen({ app: { fetch: answer }, host, port });
  return {
    url: server.url,
    async close() {
      for (const stop of underWay) stop.abort(new Error("the lab was stopped"));
      await server.close(FLUSH_MS);
    },
  };
}
