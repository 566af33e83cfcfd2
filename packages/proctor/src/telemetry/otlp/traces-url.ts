// Where traces are sent: the address as people write it, completed and checked once, at the start.
import { ProctorError } from "../../core/errors.ts";

/** The default path in the OTLP specification, "OTLP/HTTP Request". */
const DEFAULT_PATH = "/v1/traces";

interface TracesUrl {
  url: URL;
  /** The address for messages, without the query, which may hold a key. */
  shown: string;
}

/** `http://host:4318` is completed with /v1/traces; an address with a path is taken as it is. */
export function tracesUrl(text: string): TracesUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    // The text is not repeated, because a mistyped address may hold a password.
    throw refused("is not an http:// or https:// URL; give one like http://127.0.0.1:4318");
  }
  if (url.username !== "" || url.password !== "") {
    throw refused("holds a user name or password; send them as a header: authorization=Basic …");
  }
  url.hash = "";
  if (url.pathname === "/") url.pathname = DEFAULT_PATH;
  return { url, shown: `${url.origin}${url.pathname}` };
}

function refused(why: string): ProctorError {
  return new ProctorError("CONFIG_INVALID", `the address of the OpenTelemetry collector ${why}`);
}
