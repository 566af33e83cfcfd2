// The JSON object that a client of OpenAI's API sent, whatever its media type says: such clients often leave it out, and no web page
// knows the key or the secret path that these endpoints have.
import { ProctorError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ReadBodyOptions } from "../http/read-body.ts";
import { readJson, requireObject } from "../http/read-json.ts";
import { asApiError } from "./api-error.ts";

/** Reads the object. Throws ApiError, what `onBytes` throws, or the signal's reason. */
export async function readObject(request: Request, options: ReadBodyOptions): Promise<JsonObject> {
  try {
    return requireObject(await readJson(request, { ...options, anyType: true }));
  } catch (error) {
    throw ProctorError.is(error) ? asApiError(error) : error;
  }
}
