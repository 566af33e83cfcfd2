// Takes a file of the workspace into the blob store piece by piece, however large it is: hashed as it was, kept without
// secrets.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { WorkspaceFile } from "../core/ports/workspaces.ts";
import type { ContentFacts, KeepTools } from "./keep-artifact.ts";

/** No encoding of a canary is longer than this. */
const LONGEST_SPELLING = 1024;

export interface KeptFile {
  /** Of the bytes as they were. */
  facts: ContentFacts;
  stored: { size_bytes: number; content_hash: string; redacted?: boolean };
}

export async function keepFile(
  file: Pick<WorkspaceFile, "path" | "read">,
  { blobs, redactor, canary }: Pick<KeepTools, "blobs" | "redactor" | "canary">,
): Promise<KeptFile> {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  const where = `artifact ${file.path}`;

  async function* clean(): AsyncGenerator<Uint8Array> {
    let tail = Buffer.alloc(0);
    const stream = redactor.active ? redactor.stream() : undefined;
    for await (const chunk of file.read()) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      if (canary) {
        // With the end of the last piece, so that it is seen where it was cut.
        const seam = Buffer.concat([tail, chunk]);
        canary.lookAtBytes(seam, where);
        tail = seam.subarray(-LONGEST_SPELLING);
      }
      // One character per byte, so that binary content survives.
      const text = stream?.push(Buffer.from(chunk).toString("latin1"));
      yield text === undefined ? chunk : Buffer.from(text, "latin1");
    }
    const rest = stream?.end() ?? "";
    if (rest !== "") yield Buffer.from(rest, "latin1");
  }

  const { sha256, sizeBytes: keptBytes } = await blobs.put(clean());
  const facts = { sizeBytes, sha256: hash.digest("hex") };
  return {
    facts,
    stored: {
      size_bytes: keptBytes,
      content_hash: `sha256:${sha256}`,
      ...(sha256 !== facts.sha256 && { redacted: true }),
    },
  };
}
