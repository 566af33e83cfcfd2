// Reads the JSON body of a request to either task API by the schema that also describes it.
import type { z } from "zod";
import { ProctorError } from "../../../../core/errors.ts";
import { readOptionalJson, requireObject } from "../../../../runtime/http/read-json.ts";
import { validate } from "../../../../runtime/http/validate.ts";

/** Bytes of the largest JSON body. Files have a limit of their own. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/**
 * Resolves with the fields of the body. No body at all has no fields: official clients announce JSON and send nothing. Throws
 * UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE or INVALID_REQUEST.
 */
export async function readFields<S extends z.ZodObject>(request: Request, schema: S): Promise<z.infer<S>> {
  const body = await readOptionalJson(request, { limitBytes: MAX_BODY_BYTES });
  return validate(schema, body === undefined ? {} : requireObject(body), "body");
}

export function wrongField(path: string, what: string): ProctorError {
  const message = `${path} ${what}`;
  return new ProctorError("INVALID_REQUEST", message, { details: [{ path, message }] });
}
