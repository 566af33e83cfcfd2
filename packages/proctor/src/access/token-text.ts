// What a token looks like: `hub_<kind>_<id>_<secret><check>`. The checksum tells a typo, or a text that merely looks like a token, without a
// look at the database; a scanner for leaked secrets can use it as well.
import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import type { TokenKind } from "../core/token.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ID_CHARS = 12;
/** Characters of a secret with 256 bits. */
const SECRET_CHARS = 43;
const CHECK_CHARS = 6;
const FORM = /^hub_(api|enrol|agent)_([0-9A-Za-z]{12})_[0-9A-Za-z]{49}$/;

/** Prefix of the tokens of runs, which are signed and have no row in the store. */
export const RUN_PREFIX = "hub_run_";

export interface MintedToken {
  id: string;
  /** The whole text of the token. */
  text: string;
}

/** Returns a new token; with an id, a new secret for it. */
export function mintToken(kind: TokenKind, id: string = randomText(ID_CHARS)): MintedToken {
  const body = `hub_${kind}_${id}_${randomText(SECRET_CHARS)}`;
  return { id, text: body + checkOf(body) };
}

/** Returns undefined for a text that is not a token: wrong form, or a typo in it. */
export function tokenIdOf(text: string): string | undefined {
  const [, , id] = FORM.exec(text) ?? [];
  if (id === undefined) return undefined;
  const body = text.slice(0, -CHECK_CHARS);
  return checkOf(body) === text.slice(-CHECK_CHARS) ? id : undefined;
}

/** Returns the digest of a token: its secret has 256 bits, so a fast hash is enough. */
export function digestOf(text: string): string {
  return hash("sha256", text, "hex");
}

function checkOf(body: string): string {
  let rest = crc32(body);
  let check = "";
  for (let index = 0; index < CHECK_CHARS; index++) {
    check = (ALPHABET[rest % ALPHABET.length] ?? "") + check;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return check;
}

function randomText(chars: number): string {
  let text = "";
  while (text.length < chars) {
    for (const byte of randomBytes(chars)) {
      // Bytes beyond the last whole multiple of the alphabet would make some characters likelier than others.
      if (byte < 248 && text.length < chars) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}
