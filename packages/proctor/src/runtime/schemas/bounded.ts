// Texts and numbers within bounds, as most fields of a request are.
import { z } from "zod";

/** At least one character, and at most this many. */
export const boundedText = (most: number) => z.string().min(1).max(most);

/** A whole number; both bounds belong to it. */
export const boundedInt = (least: number, most: number) => z.int().min(least).max(most);
