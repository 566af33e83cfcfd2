// What the MCP client may do on the network: talk to the server's host, follow no redirect, read no endless answer.
import { MAX_ANSWER_BYTES } from "./forward-tool.ts";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Bytes of the largest stream; the one for a server's own messages lasts as long as the session. */
const MAX_STREAM_BYTES = 100 * 1024 * 1024;

/** Returns a fetch that refuses every origin but the server's own. */
export function createMcpFetch(server: URL): Fetch {
  return async (url, init) => {
    if (new URL(url).origin !== server.origin) throw new Error("the MCP server leads to another host");
    const response = await fetch(url, { ...init, redirect: "manual" });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new Error(
        `the MCP server answered with a redirect (HTTP ${response.status}), which is not followed`,
      );
    }
    const { status, statusText, headers, body } = response;
    if (body === null) return response;
    const limitBytes = init?.method === "POST" ? MAX_ANSWER_BYTES : MAX_STREAM_BYTES;
    return new Response(body.pipeThrough(limit(limitBytes)), { status, statusText, headers });
  };
}

function limit(limitBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > limitBytes) controller.error(new Error(`the answer is larger than ${limitBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
