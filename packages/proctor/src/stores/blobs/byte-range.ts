// Which of the stored bytes a range asks for.
import { ProctorError } from "../../core/errors.ts";
import type { ByteRange } from "../../core/ports/blob-store.ts";

/** Cuts the range at the end of the bytes. Throws RANGE_NOT_SATISFIABLE for one that begins after it, or is invalid. */
export function clampRange({ start, end }: ByteRange, size: number): ByteRange {
  const valid = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end;
  if (!valid || start >= size) {
    throw new ProctorError("RANGE_NOT_SATISFIABLE", `bytes ${start}-${end} are outside the ${size} stored`, {
      details: { size_bytes: size },
    });
  }
  return { start, end: Math.min(end, size - 1) };
}

export function noSuchBytes(sha256: string, cause?: unknown): ProctorError {
  return new ProctorError("ARTIFACT_NOT_FOUND", "there are no bytes with this sha256", {
    details: { sha256: sha256.slice(0, 64) },
    cause,
  });
}
