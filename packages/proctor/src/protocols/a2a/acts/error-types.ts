// The names that ACTS has for errors, and what they are in A2A: specification 1.0, section 5.4. Most are A2A's own names.
import { nameOfError } from "../error-names.ts";
import { A2A_ERRORS, type A2aReason } from "../errors.ts";

/** Errors for which ACTS has a name of its own. A2A treats streams that are not offered like any other operation. */
const OWN: Readonly<Record<string, A2aReason>> = {
  ExtendedCardNotSupportedError: "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
  JSONParseError: "PARSE_ERROR",
  StreamingNotSupportedError: "UNSUPPORTED_OPERATION",
};

/** `Object.keys` is typed as string[]. */
const REASONS = Object.keys(A2A_ERRORS) as A2aReason[];
const BY_NAME: ReadonlyMap<string, A2aReason> = new Map([
  ...REASONS.map((reason) => [nameOf(reason), reason] as const),
  ...Object.entries(OWN),
]);

export const ERROR_TYPES: readonly string[] = [...BY_NAME.keys()];

/** Returns the name of an error: A2A's, or the reason itself for errors that only a connection has. */
export function nameOf(reason: A2aReason): string {
  return nameOfError(reason) ?? reason;
}

/** Returns the same error by the name that is used for it here, for a text that names one. */
export function canonicalName(name: string): string {
  const reason = BY_NAME.get(name);
  return reason === undefined ? name : nameOf(reason);
}
