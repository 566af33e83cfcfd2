// The bytes of a run that this worker has, at a hub. They are kept on this machine until the hub has them, so that a lost connection
// costs nothing but time.
import { createHash } from "node:crypto";
import { ProctorError } from "../../core/errors.ts";
import type { BlobStore, ByteRange } from "../../core/ports/blob-store.ts";
import type { RunBlobs } from "../../core/ports/run-store.ts";
import type { Holding, WorkLink } from "./work-link.ts";

/** Times that bytes are sent before they count as refused: for longer than a hub may be away. */
const MAX_TRIES = 15;

export function createHttpRunBlobs(
  { link, spool }: { link: WorkLink; spool: BlobStore },
  holding: Holding,
): RunBlobs {
  const { runId } = holding;
  const headers = link.headersOf(holding);
  const place = (sha256: string): string => `/work/runs/${runId}/blobs/${sha256}`;
  let stored = false;

  /** A hub that refuses bytes may cut the connection before it says so: then it is not asked for ever. */
  function sender(sha256: string): (signal: AbortSignal) => Promise<void> {
    let tries = 0;
    return async (signal) => {
      tries += 1;
      try {
        await send(sha256, signal);
      } catch (error) {
        if (tries < MAX_TRIES || !ProctorError.is(error)) throw error;
        throw new ProctorError("PAYLOAD_TOO_LARGE", `the hub takes no bytes with the sha256 ${sha256}`, {
          cause: error,
        });
      }
    };
  }

  async function send(sha256: string, signal: AbortSignal): Promise<void> {
    const type = { "content-type": "application/octet-stream" };
    const { receipt } = await link.client.sendJson<{ receipt: string }>(place(sha256), {
      method: "PUT",
      content: spool.read(sha256),
      headers: { ...headers, ...type },
      signal,
    });
    holding.receipts.set(sha256, receipt);
  }

  async function* read(sha256: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
    const hash = createHash("sha256");
    let start = range?.start ?? 0;
    for (let isWhole = false; !isWhole;) {
      const asked = start === 0 && range === undefined ? {} : { range: `bytes=${start}-${range?.end ?? ""}` };
      const { body } = await link.persist(holding, (signal) =>
        link.client.send(place(sha256), { headers: { ...headers, ...asked }, signal }),
      );
      try {
        for await (const chunk of body ?? []) {
          hash.update(chunk);
          start += chunk.byteLength;
          yield chunk;
        }
        isWhole = true;
      } catch (error) {
        // The connection was cut: the rest is asked for, unless the run is lost.
        if (link.isLost(holding)) throw error;
      }
    }
    if (range === undefined && hash.digest("hex") !== sha256)
      throw new Error(`the hub sent other bytes than those with the sha256 ${sha256}`);
  }

  return {
    async put(source, signal) {
      const ref = await spool.put(source, signal);
      try {
        await link.persist(holding, sender(ref.sha256), signal);
        stored = true;
        return { sha256: ref.sha256, sizeBytes: ref.sizeBytes };
      } finally {
        spool.release(ref);
        await spool.remove(ref.sha256, () => Promise.resolve(false));
      }
    },
    read,
    async settle() {
      if (!stored || holding.gone.signal.aborted) return;
      await link.client.send(`/work/runs/${runId}/settle`, { method: "POST", headers });
    },
  };
}
