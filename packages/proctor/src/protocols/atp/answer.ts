// An agent's response as reports: its artifacts one by one, then how it ended. The same on every transport.
import { messageOf } from "../../core/message-of.ts";
import type { Json } from "../../core/json.ts";
import { decodeArtifact, type DecodedArtifact } from "./artifacts.ts";
import { decodeResponse } from "./codec.ts";
import type { ReportList } from "./report-list.ts";
import type { CompatResponse } from "./wire.ts";

export function reportAnswer(response: CompatResponse, reports: ReportList): void {
  for (const [index, entry] of (response.artifacts ?? []).entries()) {
    const { artifact, violations } = decodeSafely(entry, index);
    if (artifact) reports.list.push({ kind: "artifact", artifact });
    for (const violation of violations) reports.violation(violation);
  }
  reports.list.push({ kind: "end", end: decodeResponse(response) });
}

/** A problem of one artifact must not lose the others. */
function decodeSafely(entry: Json, index: number): DecodedArtifact {
  try {
    return decodeArtifact(entry, index);
  } catch (error) {
    const why = messageOf(error);
    const message = `cannot be decoded: ${why}`;
    return { violations: [{ rule: "atp.artifact", message, where: `artifacts.${index}` }] };
  }
}
