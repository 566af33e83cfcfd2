// Takes a file of the workspace into the blob store piece by piece: hashed as it was, kept without secrets, never more of it than the
// run's budget allows and never longer than the run's signal.
import { messageOf } from "../core/message-of.ts";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { WorkspaceFile } from "../core/ports/workspaces.ts";
import { NotKept } from "./artifact-budget.ts";
import type { ContentFacts, KeepDeps, StoredContent } from "./keep-artifact.ts";
import { LONGEST_SPELLING } from "./canary.ts";
import { isGzip, MAX_PACKED_BYTES, searchGzip, TOO_LARGE } from "./search-gzip.ts";

interface KeptFile {
  /** Size and hash of the bytes before secrets were replaced. */
  facts: ContentFacts;
  stored: StoredContent;
}

/** Throws NotKept, in which case nothing of the file is kept. */
export async function keepFile(
  file: Pick<WorkspaceFile, "path" | "read"> & { sizeBytes?: number },
  { blobs, redactor, canary, budget, work }: Omit<KeepDeps, "workspace">,
): Promise<KeptFile> {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  let keptBytes = 0;
  const where = `artifact ${file.path}`;

  function kept(piece: Uint8Array): Uint8Array {
    // A marker may be longer than the secret it replaces.
    keptBytes += piece.length;
    budget?.check(Math.max(sizeBytes, keptBytes));
    return piece;
  }

  let unsearched: string | undefined;

  async function* clean(): AsyncGenerator<Uint8Array> {
    let tail = Buffer.alloc(0);
    const stream = redactor.active ? redactor.stream() : undefined;
    /** The beginning of a gzip file, which is unpacked when all of it is there. */
    let packed: Uint8Array[] | undefined;
    // One character per byte, so that binary content survives.
    const shown = (chunk: Uint8Array): Uint8Array =>
      stream ? Buffer.from(stream.push(Buffer.from(chunk).toString("latin1")), "latin1") : chunk;
    for await (const chunk of readable(file)) {
      if (sizeBytes === 0 && redactor.active && isGzip(chunk)) packed = [];
      hash.update(chunk);
      sizeBytes += chunk.length;
      if (canary) {
        // With the end of the previous piece, so that a canary that was cut in two is seen.
        const seam = Buffer.concat([tail, chunk]);
        canary.lookAtBytes(seam, where);
        tail = seam.subarray(-LONGEST_SPELLING);
      }
      if (packed === undefined) {
        yield kept(shown(chunk));
        continue;
      }
      packed.push(chunk);
      budget?.check(sizeBytes);
      if (sizeBytes <= MAX_PACKED_BYTES) continue;
      unsearched = TOO_LARGE;
      for (const piece of packed) yield kept(shown(piece));
      packed = undefined;
    }
    if (packed) {
      const searched = await searchGzip(Buffer.concat(packed), where, {
        redactor,
        canary,
        signal: work.signal,
      });
      unsearched = searched.unsearched;
      if (searched.clean) {
        yield kept(searched.clean);
        return;
      }
      for (const piece of packed) yield kept(shown(piece));
    }
    const rest = stream?.end() ?? "";
    if (rest !== "") yield kept(Buffer.from(rest, "latin1"));
  }

  if (file.sizeBytes !== undefined) budget?.check(file.sizeBytes);
  const { sha256, sizeBytes: storedBytes } = await blobs.put(clean(), work.signal);
  budget?.spend(storedBytes);
  const facts = { sizeBytes, sha256: hash.digest("hex") };
  return {
    facts,
    stored: {
      size_bytes: storedBytes,
      content_hash: `sha256:${sha256}`,
      ...(sha256 !== facts.sha256 && { redacted: true }),
      ...(unsearched !== undefined && { unsearched }),
    },
  };
}

/** An agent may change its file while it is read; then the file is not kept, and the run goes on. */
async function* readable({ read }: Pick<WorkspaceFile, "read">): AsyncGenerator<Uint8Array> {
  try {
    yield* read();
  } catch (cause) {
    const why = messageOf(cause);
    throw new NotKept(`it could not be read to its end: ${why}`, { cause });
  }
}
