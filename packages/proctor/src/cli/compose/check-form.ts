// Whether data fits the form that an agent asked for. The schema is the agent's: where it is no schema that we can read, or takes too long,
// the data goes to the agent unchecked, because the person who answers cannot mend it.
import type { CheckSchema } from "../../core/check-answer.ts";
import { isJsonObject } from "../../core/json.ts";
import { compileSchema } from "../../suites/json/json-schema.ts";

/** Milliseconds of CPU time for an agent's schema: the hub does nothing else meanwhile. */
const COMPILE_LIMIT_MS = 500;

export const checkForm: CheckSchema = (schema, data) => {
  if (!isJsonObject(schema)) return undefined;
  try {
    return compileSchema(schema, COMPILE_LIMIT_MS)(data)?.message;
  } catch {
    return undefined;
  }
};
