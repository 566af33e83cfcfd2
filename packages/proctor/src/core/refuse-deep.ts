// Refuses values that are nested too deeply, before anything recursive looks at them. Text is refused when it is parsed; this is for
// values that came another way.
import { ProctorError } from "./errors.ts";
import { MAX_JSON_DEPTH } from "./json-depth.ts";
import { isValueTooDeep } from "./json-value-depth.ts";

/** The rest of a message about a value that is nested too deeply. */
export const TOO_DEEP = `is nested more than ${MAX_JSON_DEPTH} levels deep`;

/** Throws INVALID_REQUEST. `what` names the value. */
export function refuseDeep(value: unknown, what: string): void {
  if (isValueTooDeep(value)) throw new ProctorError("INVALID_REQUEST", `${what} ${TOO_DEEP}`);
}
