// Numbers as our files write them. A number may also be text that reads as one, because `${NAME}` always yields text.
import { z } from "zod";

const asNumber = (value: unknown): unknown =>
  typeof value === "string" && /^\d{1,15}(?:\.\d{1,15})?$/.test(value) ? Number(value) : value;

export const positiveInteger: z.ZodType<number> = z.preprocess(asNumber, z.int().min(1));

export const amount: z.ZodType<number> = z.preprocess(asNumber, z.number().min(0));

export function integerUpTo(minimum: number, maximum: number): z.ZodType<number> {
  return z.preprocess(asNumber, z.int().min(minimum).max(maximum));
}

export function numberUpTo(minimum: number, maximum: number): z.ZodType<number> {
  return z.preprocess(asNumber, z.number().min(minimum).max(maximum));
}
