// Which scopes a client gets: those that it asks for and may have (RFC 6749, section 3.3).
import { OAuthError } from "./oauth-error.ts";

/** Returns the granted scopes: all allowed ones for a client that asks for none. Throws OAuthError. */
export function chooseScopes(asked: string | undefined, allowed: readonly string[]): string[] {
  if (asked === undefined) return [...allowed];
  const scopes = [...new Set(asked.split(" ").filter((scope) => scope !== ""))];
  const refused = scopes.find((scope) => !allowed.includes(scope));
  if (refused === undefined) return scopes;
  throw new OAuthError(
    "invalid_scope",
    `the scope ${refused.slice(0, 80)} is unknown, or not for this client`,
  );
}
