// An agent's response as reports: its artifacts one by one, then how it ended. The same on every transport.
import { decodeArtifact } from "./artifacts.ts";
import { decodeResponse } from "./codec.ts";
import type { ReportList } from "./report-list.ts";
import type { CompatResponse } from "./wire.ts";

export function reportAnswer(response: CompatResponse, reports: ReportList): void {
  for (const [index, entry] of (response.artifacts ?? []).entries()) {
    const { artifact, violation } = decodeArtifact(entry, index);
    if (artifact) reports.list.push({ kind: "artifact", artifact });
    if (violation) reports.violation(violation);
  }
  reports.list.push({ kind: "end", end: decodeResponse(response) });
}
