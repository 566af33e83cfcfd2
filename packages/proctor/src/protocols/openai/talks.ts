// What can be said to a model, and what it may ask.
import type { Talks } from "../../core/ports/driver.ts";

export const OPENAI_TALKS: Talks = { asks: ["input"], follows: true, history: true, turns: "serial" };
