// The token of this visit: kept for the tab's life, never in an address.
import { signal } from "@preact/signals";

const KEY = "proctor.token";

export const token = signal(read());
/** Why the hub wants another token; undefined while it is content. */
export const refusal = signal<string | undefined>(undefined);

export function setToken(value: string | undefined): void {
  token.value = value;
  refusal.value = undefined;
  try {
    if (value === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, value);
  } catch {
    // Without storage the token lasts as long as the page.
  }
}

/** The hub refused a request with this token. An answer that comes late, to a request with another token, says nothing of the one in use. */
export function refuseToken(used: string | undefined, reason: string): void {
  if (used === token.peek()) refusal.value = reason;
}

export function authHeaders(): Record<string, string> {
  return token.value === undefined ? {} : { authorization: `Bearer ${token.value}` };
}

function read(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
