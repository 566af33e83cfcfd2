// Unpacks the chunks of the file when a document in them is requested, and keeps the last few.
import { texts } from "../texts.ts";
import { spellOut } from "./spell-out.ts";
import type { Place } from "./report-documents.ts";

export interface Chunks {
  count: number;
  /** Resolves with every document of a chunk, in order. */
  all(chunk: number): Promise<readonly unknown[]>;
  read(place: Place): Promise<unknown>;
}

const MOST_KEPT = 6;

/** Creates the reader. `packed` returns the base64 of a gzipped JSON array. */
export function readChunks(count: number, packed: (chunk: number) => string | undefined): Chunks {
  const kept = new Map<number, Promise<readonly unknown[]>>();

  async function unpack(chunk: number): Promise<readonly unknown[]> {
    if (!("DecompressionStream" in globalThis)) throw new Error(texts.report.cannotUnpack);
    const text = packed(chunk);
    if (text === undefined) throw new Error(texts.report.incomplete);
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    // Written by the reporter as an array of documents.
    return JSON.parse(spellOut(await new Response(stream).text())) as unknown[];
  }

  async function all(chunk: number): Promise<readonly unknown[]> {
    const documents = kept.get(chunk) ?? unpack(chunk);
    kept.delete(chunk);
    kept.set(chunk, documents);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return documents;
  }

  return { count, all, read: async ([chunk, index]) => (await all(chunk))[index] };
}
