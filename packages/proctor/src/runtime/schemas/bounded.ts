// Texts and numbers within bounds, as most fields of a request are.
import { z } from "zod";

/** A text of at least one character, and at most this many. */
export const boundedText = (most: number) => z.string().min(1).max(most);

/** A whole number between both bounds, which belong to it. */
export const boundedInt = (least: number, most: number) => z.int().min(least).max(most);
