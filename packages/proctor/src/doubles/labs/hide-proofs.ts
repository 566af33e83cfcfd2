// What a lab writes down of a request: everything but what proves something, of which only the name stays.
import type { Json } from "../../core/json.ts";
import { shorten } from "../../core/shorten.ts";

const MAX_VALUE_CHARS = 4000;
const HEADERS = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "x-a2a-notification-token",
  "x-api-key",
]);
const PARAMETERS = new Set([
  "client_secret",
  "client_assertion",
  "code",
  "code_verifier",
  "device_code",
  "user_code",
  "refresh_token",
  "token",
  "access_token",
  "password",
]);

export function shownHeaders(headers: Headers): Record<string, string> {
  const shown = [...headers].map(([name, value]): [string, string] => {
    if (!HEADERS.has(name)) return [name, shorten(value, MAX_VALUE_CHARS)];
    // The scheme is shown: it says how the client authenticates, not with what.
    const [, scheme = ""] = /^(Basic|Bearer|Digest) /i.exec(value) ?? [];
    return [name, `${scheme} [redacted:${name}]`.trimStart()];
  });
  return Object.fromEntries(shown);
}

/** Returns the parameters with secrets hidden; one that occurs twice becomes a list. */
export function shownParameters(parameters: URLSearchParams): Record<string, Json> {
  const shown: Record<string, Json> = {};
  for (const name of new Set(parameters.keys())) {
    const values = parameters
      .getAll(name)
      .map((value) => (PARAMETERS.has(name) ? `[redacted:${name}]` : value));
    const [first = ""] = values;
    const short = (value: string): string => shorten(value, MAX_VALUE_CHARS);
    shown[shorten(name, 100)] = values.length === 1 ? short(first) : values.slice(0, 10).map(short);
  }
  return shown;
}
