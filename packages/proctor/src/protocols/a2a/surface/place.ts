// Where a document is read: the addresses in it have to be those that its reader can reach.
import type { A2aCall } from "../service.ts";

export interface Place {
  /** URL of the hub as the client reaches it: `https://example.com/prefix`. */
  hubUrl: string;
}

export function placeOf({ origin, basePath }: Pick<A2aCall, "origin" | "basePath">): Place {
  return { hubUrl: origin + basePath.replace(/\/a2a\/[^/]*$/, "") };
}

/** Returns the URL of an artifact's bytes at the neutral API. */
export function contentUrl({ hubUrl }: Place, runId: string, artifactId: string): string {
  return `${hubUrl}/runs/${encodeURIComponent(runId)}/artifacts/${encodeURIComponent(artifactId)}/content`;
}
