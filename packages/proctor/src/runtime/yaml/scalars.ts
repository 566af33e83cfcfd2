// Values as Proctor's files write them. A number may also be text that reads as one, because `${NAME}` always yields text.
// `meta` is for editors: a schema behind a function tells them nothing by itself.
import { z } from "zod";
import type { Json } from "../../core/json.ts";

/** Any value, null included. What YAML yields without tags, which its reader refuses, is JSON. */
export const json = z.custom<Json>((value) => value !== undefined);

const asNumber = (value: unknown): unknown =>
  typeof value === "string" && /^\d{1,15}(?:\.\d{1,15})?$/.test(value) ? Number(value) : value;

export const positiveInteger: z.ZodType<number> = z
  .preprocess(asNumber, z.int().min(1))
  .meta({ type: "integer", minimum: 1 });

export const amount: z.ZodType<number> = z
  .preprocess(asNumber, z.number().min(0))
  .meta({ type: "number", minimum: 0 });

export function integerUpTo(minimum: number, maximum: number): z.ZodType<number> {
  return z
    .preprocess(asNumber, z.int().min(minimum).max(maximum))
    .meta({ type: "integer", minimum, maximum });
}

export function numberUpTo(minimum: number, maximum: number): z.ZodType<number> {
  return z
    .preprocess(asNumber, z.number().min(minimum).max(maximum))
    .meta({ type: "number", minimum, maximum });
}
