// What agents that speak envelopes may ask.
import type { Talks } from "../../core/ports/driver.ts";
import { QUESTION_KINDS } from "../../core/question.ts";

export const ENVELOPE_TALKS: Talks = { asks: QUESTION_KINDS };
