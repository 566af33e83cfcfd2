// The algorithms that cards are signed with. Each has a public key: with a shared secret everybody who can verify could also sign, and
// `none` is no signature at all.

export const SIGNATURE_ALGORITHMS: readonly string[] = [
  "ES256",
  "ES384",
  "ES512",
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "EdDSA",
  "Ed25519",
];
