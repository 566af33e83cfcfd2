// The `Range` header of RFC 9110, for one range of bytes. Several ranges, and what is not understood, mean "everything".
import type { ByteRange } from "../core/ports/blob-store.ts";

/** "all", one range inside the representation, or "unsatisfiable". */
export function parseByteRange(
  header: string | null,
  sizeBytes: number,
): "all" | "unsatisfiable" | ByteRange {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.replaceAll(/\s/g, "") ?? "");
  if (match === null) return "all";
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return "all";
  if (first === "") {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? "unsatisfiable" : { start: sizeBytes - length, end: sizeBytes - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return "all";
  if (start >= sizeBytes) return "unsatisfiable";
  return { start, end: last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) };
}
