// Gets a packed document when it is looked at. What was unpacked last is kept, since readers go from case to case.
import type { Browser } from "./browser.ts";
import type { EvidenceEvent } from "../../../evidence.ts";
import type { CaseDetail, ComparedCase, PackedCase, PackedEvents, Place } from "../report-data.ts";

export type Details = ReturnType<typeof createDetails>;

export function createDetails({ document }: Pick<Browser, "document">) {
  const kept = new Map<number, Promise<unknown[]>>();
  const maxKept = 8;

  async function unpack(chunk: number): Promise<unknown[]> {
    if (typeof DecompressionStream === "undefined") {
      throw new Error("This browser cannot unpack the details. Any from 2023 on can.");
    }
    const packed = document.getElementById(`chunk-${chunk}`)?.textContent;
    if (packed == null) throw new Error("The file is not complete: details are missing. Get it again.");
    const bytes = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    // Written by the reporter as an array of documents.
    return JSON.parse(await new Response(stream).text()) as unknown[];
  }

  async function load([chunk, index]: Place): Promise<unknown> {
    const chunks = kept.get(chunk) ?? unpack(chunk);
    kept.delete(chunk);
    kept.set(chunk, chunks);
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
    return (await chunks)[index];
  }

  function unpackEvents({ type, sequence, at_ms, duration_ms, payload }: PackedEvents): EvidenceEvent[] {
    let place = 0;
    let time = 0;
    return type.map((name, at) => {
      place += sequence[at] ?? 1;
      time += at_ms[at] ?? 0;
      const took = duration_ms[at];
      return {
        sequence: place,
        type: name,
        at_ms: Math.round(time * 1000) / 1000,
        ...(took != null && { duration_ms: took }),
        payload: payload[at] ?? {},
      };
    });
  }

  function unpackCase({ runs, ...rest }: PackedCase): CaseDetail {
    return {
      ...rest,
      runs: runs.map(({ evidence, ...run }) => ({
        ...run,
        ...(evidence && { evidence: { ...evidence, events: unpackEvents(evidence.events) } }),
      })),
    };
  }

  return {
    // What stands at a place is what the reporter put there.
    loadCase: async (place: Place) => unpackCase((await load(place)) as PackedCase),
    loadComparison: async (place: Place) => (await load(place)) as ComparedCase[],
  };
}
