// The headers of RFC 9110 with which a client asks for a part of some bytes, or for bytes that it does not have yet.
import type { ByteRange } from "../../core/ports/blob-store.ts";

/** Reads one range of a `Range` header. Several ranges, and unreadable ones, mean all bytes. */
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

/** Returns whether `If-None-Match` names the tag; it compares weakly: RFC 9110, 13.1.2. */
export function matchesTag(header: string | null, etag: string): boolean {
  const tags = header?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return tags.includes("*") || tags.includes(etag);
}
