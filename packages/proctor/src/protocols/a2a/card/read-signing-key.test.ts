import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { describe, expect, it } from "vitest";
import { CARD } from "../../../../test/support/a2a/card.ts";
import { readSigningKey } from "./read-signing-key.ts";
import { signCard } from "./sign-card.ts";
import { verifyCard } from "./verify-card.ts";

const never = new AbortController().signal;
const ec = (namedCurve: string): KeyObject => generateKeyPairSync("ec", { namedCurve }).privateKey;
const rsa = (modulusLength: number): KeyObject => generateKeyPairSync("rsa", { modulusLength }).privateKey;
const pem = (key: KeyObject): string => key.export({ format: "pem", type: "pkcs8" }) as string;
const jwk = (key: KeyObject, more: object = {}): string =>
  JSON.stringify({ ...key.export({ format: "jwk" }), ...more });

describe("the key that signs cards", () => {
  it.each<[what: string, text: string, algorithm: string]>([
    ["an EC key as PEM", pem(ec("P-256")), "ES256"],
    ["an older form of PEM", ec("P-384").export({ format: "pem", type: "sec1" }) as string, "ES384"],
    ["an RSA key", pem(rsa(2048)), "RS256"],
    ["an Ed25519 key", pem(generateKeyPairSync("ed25519").privateKey), "EdDSA"],
    ["a JSON Web Key", jwk(ec("P-521")), "ES512"],
    ["a JSON Web Key that says how it signs", jwk(rsa(2048), { alg: "PS256" }), "PS256"],
  ])("may be %s, and its public half verifies what it signed", async (_what, text, algorithm) => {
    const key = await readSigningKey(text);
    expect(key).toMatchObject({ algorithm, publicKey: { kid: key.keyId, alg: algorithm, use: "sig" } });
    expect(key.keyId).toMatch(/^[\w-]{43}$/);
    for (const secret of ["d", "p", "q"]) expect(key.publicKey).not.toHaveProperty(secret);
    const verdict = await verifyCard(await signCard(CARD, key), { known: { keys: [key.publicKey] } }, never);
    expect(verdict).toMatchObject({ verdict: "valid", keyId: key.keyId, algorithm });
  });

  it("has the name that its file gives it", async () => {
    expect((await readSigningKey(jwk(ec("P-256"), { kid: "2026-01" }))).keyId).toBe("2026-01");
  });

  const locked = { format: "pem", type: "pkcs8", cipher: "aes-256-cbc", passphrase: "x" } as const;
  const publicKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey;

  it.each<[what: string, text: string, why: RegExp]>([
    ["nothing", "", /no private key/],
    ["a public key", publicKey.export({ format: "pem", type: "spki" }) as string, /no private key/],
    ["a public JSON Web Key", JSON.stringify(publicKey.export({ format: "jwk" })), /no private key/],
    ["a key with a password", ec("P-256").export(locked) as string, /without a password/],
    ["broken JSON", '{"kty": "EC", "d": "secret"', /no JSON Web Key/],
    ["an RSA key that is too short", pem(rsa(1024)), /2048 bits/],
    ["a curve that nobody signs cards with", pem(ec("secp256k1")), /no card is signed/],
    ["another algorithm than its kind has", jwk(ec("P-256"), { alg: "HS256" }), /must be one of ES256/],
  ])("may not be %s", async (_what, text, why) => {
    const refused = readSigningKey(text);
    await expect(refused).rejects.toThrow(why);
    await expect(refused).rejects.not.toThrow(/secret/);
  });
});
