// Encrypts text with AES-256-GCM under a key that has a file of its own, readable by its owner only.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Sealer } from "../core/ports/sealer.ts";
import { openKeyFile } from "./key-file.ts";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Prefix of every sealed text; nonce, tag and sealed bytes follow as base64url. It is authenticated, so no other version reads it. */
const PREFIX = "v1.";

/** Opens a sealer; the key file holds 32 bytes as base64, and is made when missing. */
export async function openSealer(keyFile: string): Promise<ReturnType<typeof createSealer>> {
  return createSealer(await openKeyFile(keyFile));
}

/** Seals with the first key, and opens with any: so a key can be replaced while texts sealed with it are still needed. */
export function createSealer(
  key: Buffer,
  ...older: readonly Buffer[]
): Sealer & { isCurrent(sealed: string): boolean } {
  return {
    isCurrent: (sealed) => unseal(key, sealed) !== undefined,
    seal: (plain) => seal(key, plain),
    open(sealed) {
      for (const each of [key, ...older]) {
        const plain = unseal(each, sealed);
        if (plain !== undefined) return plain;
      }
      return undefined;
    },
  };
}

function seal(key: Buffer, plain: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(PREFIX));
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
}

function unseal(key: Buffer, sealed: string): string | undefined {
  if (!sealed.startsWith(PREFIX)) return undefined;
  const bytes = Buffer.from(sealed.slice(PREFIX.length), "base64url");
  // Base64 has several spellings of the same bytes; only the one that was written counts as unchanged.
  if (PREFIX + bytes.toString("base64url") !== sealed || bytes.length < NONCE_BYTES + TAG_BYTES)
    return undefined;
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(PREFIX))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
