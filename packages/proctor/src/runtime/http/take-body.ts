// A body can be read only once: a reader that looks at it before the handler passes it on with this.
import { readBody } from "./read-body.ts";

export interface TakenBody {
  text: string;
  /** The same request, whose body can still be read. */
  forwarded: Request;
}

/** Reads the body. Throws as `readBody` does. */
export async function takeBody(request: Request, limitBytes: number): Promise<TakenBody> {
  if (request.method === "GET" || request.method === "HEAD") return { text: "", forwarded: request };
  const bytes = await readBody(request, { limitBytes });
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  return { text, forwarded: withBody(request, bytes) };
}

/** Returns the same request with a body that was read already. A new Request would cost more than the rest of an answer. */
function withBody(request: Request, bytes: Uint8Array): Request {
  // The type only requires bytes that are not shared, and these are not.
  const body = bytes as Uint8Array<ArrayBuffer>;
  return new Proxy(request, {
    get(target, key) {
      if (key === "arrayBuffer") {
        return () => Promise.resolve(body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength));
      }
      if (key === "body") return new Response(body).body;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
