// The parameters of a request: of its query, or of its body, which is a form (RFC 6749, sections 3.1 and 3.2).
import { ProctorError } from "../../../core/errors.ts";
import { readBody } from "../../../runtime/http/read-body.ts";
import { OAuthError } from "./oauth-error.ts";

export type Form = Readonly<Record<string, string>>;

const MAX_BODY_BYTES = 64 * 1024;

export function queryOf(request: Request): URLSearchParams {
  return new URL(request.url).searchParams;
}

/** Reads a form; throws OAuthError for a body that is not one, or is too large. */
export async function bodyOf(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get("content-type") ?? "";
  let text: string;
  try {
    text = Buffer.from(await readBody(request, { limitBytes: MAX_BODY_BYTES })).toString();
  } catch (error) {
    if (!ProctorError.is(error)) throw error;
    throw new OAuthError("invalid_request", error.message, { status: error.status });
  }
  if (text === "") return new URLSearchParams();
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    throw new OAuthError("invalid_request", "the body must be application/x-www-form-urlencoded");
  }
  return new URLSearchParams(text);
}

/** Throws OAuthError for a parameter that occurs twice. One without a value counts as absent. */
export function formOf(parameters: URLSearchParams): Form {
  const form: Record<string, string> = {};
  const seen = new Set<string>();
  for (const [name, value] of parameters) {
    if (seen.has(name))
      throw new OAuthError("invalid_request", `the parameter ${name.slice(0, 80)} is there twice`);
    seen.add(name);
    if (value !== "") form[name] = value;
  }
  return form;
}

/** Returns a required parameter; throws OAuthError where it is absent. */
export function need(form: Form, name: string): string {
  const value = form[name];
  if (value === undefined) throw new OAuthError("invalid_request", `the parameter ${name} is missing`);
  return value;
}
