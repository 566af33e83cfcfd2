// The JSON body of a request, checked against the schema that its route describes.
import type { z } from "zod";
import { readJson, readOptionalJson } from "../runtime/http/read-json.ts";
import { validate } from "../runtime/http/validate.ts";

export async function readBody<S extends z.ZodType>(
  request: Request,
  schema: S,
  limitBytes: number,
): Promise<z.infer<S>> {
  return validate(schema, await readJson(request, { limitBytes }), "body");
}

/** Reads an absent body as an empty object. */
export async function readOptionalBody<S extends z.ZodType>(
  request: Request,
  schema: S,
  limitBytes: number,
): Promise<z.infer<S>> {
  const body = await readOptionalJson(request, { limitBytes });
  return validate(schema, body === undefined ? {} : body, "body");
}
