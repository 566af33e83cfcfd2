// Keeps a worker from recording bytes that it has never had: a record gives access to them, and their hash may be known from elsewhere.
import { createHash } from "node:crypto";
import { contentSha256, type Artifact } from "../../core/artifact.ts";
import { ProctorError } from "../../core/errors.ts";
import type { NewEvent } from "../../core/ports/store.ts";
import type { Run } from "../../core/run.ts";
import type { Tickets } from "./tickets.ts";

/** `ownRuns` are the run and those whose files it may read; they are asked for only where a receipt is missing. Throws FORBIDDEN. */
export async function refuseForeignBytes(
  { tickets, ownRuns }: { tickets: Pick<Tickets, "isReceipt">; ownRuns: () => Promise<readonly Run[]> },
  runId: string,
  events: readonly NewEvent[],
  receipts: Readonly<Record<string, string>> = {},
): Promise<void> {
  let own: Set<string | undefined> | undefined;
  for (const { draft } of events) {
    if (draft.type !== "artifact.added") continue;
    const { artifact } = draft.payload;
    const sha256 = contentSha256(artifact);
    if (sha256 === undefined || isInside(artifact, sha256)) continue;
    const receipt = Object.hasOwn(receipts, sha256) ? receipts[sha256] : undefined;
    if (receipt !== undefined && (await tickets.isReceipt(receipt, runId, sha256))) continue;
    own ??= new Set((await ownRuns()).flatMap(({ artifacts }) => artifacts.map(contentSha256)));
    if (!own.has(sha256))
      throw new ProctorError(
        "FORBIDDEN",
        `the worker has not stored bytes with the sha256 ${sha256} for run ${runId}\n` +
          "Is it of another version than the hub? Update the older of the two.",
      );
  }
}

/** Returns whether data is in the record itself: small data is, and its hash is that of its JSON. */
function isInside(artifact: Artifact, sha256: string): boolean {
  if (artifact.type !== "structured" || artifact.data === undefined) return false;
  return createHash("sha256").update(JSON.stringify(artifact.data)).digest("hex") === sha256;
}
