// Headers in the form of OTEL_EXPORTER_OTLP_HEADERS: `key=value,key2=value2`, values percent-encoded where needed.
// Values are often keys to something, so no message repeats one.
import { ProctorError } from "../../core/errors.ts";

/** RFC 9110, "Tokens". */
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
/** RFC 9110, "Field Values": visible characters, spaces and tabs. */
const FIELD_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

export function parseOtlpHeaders(text: string): Record<string, string> {
  const pairs = text.split(",").map((pair) => pair.trim());
  return checkHeaders(Object.fromEntries(pairs.filter((pair) => pair !== "").map(parsePair)));
}

/** Returns the headers unchanged. Throws when one of them cannot be sent. */
export function checkHeaders(headers: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) {
    if (!TOKEN.test(name)) throw refused(`${JSON.stringify(name)} is not the name of a header`);
    if (!FIELD_VALUE.test(value))
      throw refused(`the value of ${name} has a character that HTTP cannot carry`);
  }
  return headers;
}

function parsePair(pair: string, index: number): [string, string] {
  const split = pair.indexOf("=");
  if (split < 1) throw refused(`number ${index + 1} is not of the form key=value`);
  const name = pair.slice(0, split).trim();
  try {
    return [name, decodeURIComponent(pair.slice(split + 1).trim())];
  } catch {
    throw refused(`the value of ${JSON.stringify(name)} has a % that starts no escape; write %25`);
  }
}

function refused(why: string): ProctorError {
  return new ProctorError("CONFIG_INVALID", `the headers for the OpenTelemetry collector are wrong: ${why}`);
}
