// What can be said to an agent that speaks A2A, and what it may ask.
import type { Talks } from "../../core/ports/driver.ts";

export const A2A_TALKS: Talks = { says: true, asks: ["input", "auth"], parks: true, follows: true };
