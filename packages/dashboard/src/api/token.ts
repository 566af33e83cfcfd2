// The token of this visit: kept for the tab's life, never in an address.
import { signal } from "@preact/signals";

const KEY = "proctor.token";

export const token = signal(read());
/** Reason why the hub wants another token; undefined while it accepts this one. */
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

/** Notes that the hub refused a token. A late answer to a request with an earlier token says nothing about the one in use. */
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
