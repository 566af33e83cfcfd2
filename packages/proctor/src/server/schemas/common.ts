// Shapes that every resource uses: lists, paging, errors.
import { z } from "zod";
import { ERRORS, type ErrorCode } from "../../core/errors.ts";
import { DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT } from "../../core/page.ts";
import { boundedInt, boundedText } from "../../runtime/schemas/bounded.ts";

// The catalogue's keys, as the tuple that an enum needs.
const CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

const ErrorCodeName = z
  .enum(CODES)
  .meta({ id: "ErrorCode", description: "Stable; what a program should look at." });

export const ErrorDocument = z
  .strictObject({
    error: z.string().describe("The HTTP status in words."),
    code: ErrorCodeName,
    message: z.string().describe("What is wrong, where, and what to do next."),
    details: z.unknown().optional().describe("For a malformed request: a list of {path, message}."),
  })
  .meta({ id: "Error", description: "Every error of this API." });

export const JsonRecord = z.record(z.string(), z.unknown());
/** Any JSON value; it must be present. */
export const AnyJson = z.unknown().refine((value) => value !== undefined, "is required");
export const StringRecord = z.record(z.string(), z.string());
export const Timestamp = z.string().meta({ format: "date-time" });

const limit = boundedInt(1, MAX_PAGE_LIMIT)
  .optional()
  .describe(`How many items at most; ${DEFAULT_PAGE_LIMIT} when absent.`);

/** Cursors are opaque; these are the characters that they are made of. */
const cursor = boundedText(2000).meta({ pattern: "^[A-Za-z0-9_-]+$" });

/** Largest sequence, of fifteen digits: whole numbers stay exact, and every event has a smaller one. */
export const MAX_SEQUENCE = 999_999_999_999_999;

export const PageQuery = z.strictObject({
  cursor: cursor.optional().describe("`next_cursor` of the page before."),
  limit,
});

/** `{items, next_cursor}`, the shape of every list. */
export function listOf(id: string, item: z.ZodType): z.ZodObject {
  return z
    .strictObject({
      items: z.array(item),
      next_cursor: z.string().nullable().describe("Null at the end of the list."),
    })
    .meta({ id });
}
