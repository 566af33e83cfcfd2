// Cursors: where a page ended, bound to the list and the filter that it was a page of.
import { createHash } from "node:crypto";
import { ProctorError } from "../../core/errors.ts";
import { DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT } from "../../core/page.ts";

export interface CursorKind<Key extends string | number> {
  encode(after: Key): string;
  /** Returns the key of a cursor. Throws INVALID_CURSOR. */
  decode(cursor: string): Key;
}

/** Keys of a list that are texts, such as names. */
export const isTextKey = (value: unknown): value is string => typeof value === "string";
/** Keys of a list that are whole numbers: ordinals, positions and versions. */
export const isWholeKey = (value: unknown): value is number => Number.isSafeInteger(value);

/** Creates a kind of cursor. `filter` is whatever decides which items the list holds, and in which order. */
export function cursorKind<Key extends string | number>(
  list: string,
  filter: unknown,
  isKey: (value: unknown) => value is Key,
): CursorKind<Key> {
  const hash = createHash("sha256")
    .update(JSON.stringify([list, filter]))
    .digest("base64url")
    .slice(0, 16);
  return {
    encode: (after) => Buffer.from(JSON.stringify([hash, after])).toString("base64url"),
    decode(cursor) {
      const content = parse(Buffer.from(cursor, "base64url").toString());
      if (Array.isArray(content) && content.length === 2 && content[0] === hash) {
        const after: unknown = content[1];
        if (isKey(after)) return after;
      }
      throw new ProctorError(
        "INVALID_CURSOR",
        `the cursor was not issued by this list of ${list} with these filters\n` +
          `Start again without a cursor, and change no filter between pages.`,
      );
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function pageLimit(limit: number = DEFAULT_PAGE_LIMIT): number {
  return Math.min(Math.max(Math.trunc(limit) || 1, 1), MAX_PAGE_LIMIT);
}
