// The pieces that ATP's schemas are made of. What `meta` says of them is for scripts/atp-json-schemas.ts: zod itself cannot know how
// a check of ours reads in JSON Schema.
import { z } from "zod";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { isDateTime, isUri, isUuid } from "./formats.ts";

export const uuid = z.string().refine(isUuid, "must be a UUID").meta({ format: "uuid" });
export const uri = z.string().refine(isUri, "must be an absolute URI").meta({ format: "uri" });
export const dateTime = z
  .string()
  .refine(isDateTime, "must be a time as in RFC 3339")
  .meta({ format: "date-time" });

/** Makes JSON Schema's integer, which has no bounds, unlike `z.int()`. */
export const integer = (range: z.ZodNumber = z.number(), more: JsonObject = {}): z.ZodNumber =>
  range.refine(Number.isInteger, "must be a whole number").meta({ type: "integer", ...more });

/** Accepts anything: messages were parsed from JSON, so that nothing needs checking. */
export const json = z.custom<Json>((value) => value !== undefined, "is missing");

/** Returns the same object, not a copy, without looking into it. */
export const object = z.custom<JsonObject>(isJsonObject, "must be an object").meta({ type: "object" });

export const texts = z
  .custom<Record<string, string>>(isJsonObject, "must be an object")
  .superRefine((values: unknown, context) => {
    if (!isJsonObject(values)) return;
    for (const [name, value] of Object.entries(values)) {
      if (typeof value === "string") continue;
      context.addIssue({ code: "custom", path: [name], message: "must be a text" });
    }
  })
  .meta({ type: "object", additionalProperties: { type: "string" } });

/** Statuses of document 000, "Status Values". */
export const ATP_STATUSES = ["completed", "failed", "timeout", "cancelled", "partial"] as const;
