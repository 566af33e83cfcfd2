// The bytes of an artifact at a hub elsewhere. If the connection is cut, the rest is asked for.
import type { ByteRange } from "../core/ports/blob-store.ts";
import type { HttpClient } from "./http-client.ts";

/** Times in a row that the rest is requested without any of it arriving. */
const MAX_EMPTY_TRIES = 3;

/** Throws what the hub refuses before the first byte is read. */
export async function readOverHttp(
  client: HttpClient,
  path: string,
  range?: ByteRange,
): Promise<AsyncIterable<Uint8Array>> {
  const ask = (start: number): Promise<Response> => {
    const isWhole = start === 0 && range === undefined;
    const wanted = isWhole ? {} : { range: `bytes=${start}-${range?.end ?? ""}` };
    return client.send(path, { headers: { accept: "*/*", ...wanted } });
  };
  const first = range?.start ?? 0;
  return bytesOf(await ask(first), first, ask);
}

/** Keeps a reference to the response: without it, a body that is not read yet is given up. */
async function* bytesOf(
  opened: Response,
  first: number,
  ask: (start: number) => Promise<Response>,
): AsyncGenerator<Uint8Array, void> {
  let response = opened;
  let start = first;
  for (let empty = 0; ;) {
    try {
      for await (const chunk of response.body ?? []) {
        start += chunk.byteLength;
        empty = 0;
        yield chunk;
      }
      return;
    } catch (error) {
      if (++empty > MAX_EMPTY_TRIES) throw error;
    }
    response = await ask(start);
  }
}
