// The keys that sign tokens: one at a time, replaced on demand or after so many tokens. The key set lists the one that signs and as many former ones
// as are kept.
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from "jose";

interface SigningKey {
  kid: string;
  privateKey: CryptoKey;
  publicKey: JWK;
}

interface KeyRingOptions {
  algorithm: "RS256" | "ES256";
  /** Number of tokens after which a new key is used for signing. */
  rolloverAfter: number;
  /** Number of former keys that the key set still lists. */
  keep: number;
}

/** What can be wrong with a signature. */
export type SignatureFault = "bad_signature" | "unknown_kid" | "unsigned";

export interface KeyRing {
  readonly algorithm: string;
  sign(claims: JWTPayload, options: { type: string; fault?: SignatureFault | undefined }): Promise<string>;
  /** Replaces the signing key; resolves to the `kid` of the new one. */
  rollover(): Promise<string>;
  /** Returns the public keys (RFC 7517, section 5), with the signing key first. */
  jwks(): { keys: JWK[] };
}

export async function createKeyRing({ algorithm, rolloverAfter, keep }: KeyRingOptions): Promise<KeyRing> {
  let keys = [await createKey(algorithm)];
  let signed = 0;
  /** The last operation. They run one at a time, so that concurrent requests neither replace the key twice nor sign too often with it. */
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  }

  async function replace(): Promise<SigningKey> {
    const key = await createKey(algorithm);
    keys = [key, ...keys.slice(0, keep)];
    signed = 0;
    return key;
  }

  async function next(): Promise<SigningKey> {
    const [key] = keys;
    const chosen = key === undefined || signed >= rolloverAfter ? await replace() : key;
    signed += 1;
    return chosen;
  }

  return {
    algorithm,
    rollover: async () => (await inTurn(replace)).kid,
    jwks: () => ({ keys: keys.map(({ publicKey }) => publicKey) }),
    async sign(claims, { type, fault }) {
      const key = fault === "unknown_kid" ? await createKey(algorithm) : await inTurn(next);
      const header = { alg: algorithm, kid: key.kid, typ: type };
      const token = await new SignJWT(claims).setProtectedHeader(header).sign(key.privateKey);
      const [head = "", body = "", signature = ""] = token.split(".");
      if (fault === "unsigned") return `${encode({ alg: "none", typ: type })}.${body}.`;
      if (fault === "bad_signature") return `${head}.${body}.${flip(signature)}`;
      return token;
    },
  };
}

async function createKey(algorithm: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  const bare = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(bare);
  return { kid, privateKey, publicKey: { ...bare, kid, alg: algorithm, use: "sig" } };
}

/** Returns a wrong signature of the same length, with another first byte. */
function flip(signature: string): string {
  const bytes = Buffer.from(signature, "base64url");
  bytes[0] = (bytes[0] ?? 0) ^ 0xff;
  return bytes.toString("base64url");
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
