import { AgentCard, generateAgentCardSignature, verifyAgentCardSignature } from "@a2a-js/sdk";
import { exportJWK, FlattenedSign, generateKeyPair, type JSONWebKeySet, type JWK } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { CARD } from "../../../../test/support/a2a/card.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import { signCard } from "./sign-card.ts";
import { signedContent } from "./signed-content.ts";
import { verifyCard } from "./verify-card.ts";

let privateKey: JWK;
let known: JSONWebKeySet;
let other: JWK;
const never = new AbortController().signal;

beforeAll(async () => {
  const pair = await generateKeyPair("ES256", { extractable: true });
  privateKey = await exportJWK(pair.privateKey);
  known = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: "key-1", alg: "ES256" }] };
  other = await exportJWK((await generateKeyPair("ES256", { extractable: true })).privateKey);
});

const signed = (card: JsonObject = CARD, more: object = {}): Promise<JsonObject> =>
  signCard(card, { privateKey, algorithm: "ES256", keyId: "key-1", ...more });

describe("signing a card", () => {
  it("names algorithm, type, key and key set in the protected header, and keeps earlier signatures", async () => {
    const once = await signed(CARD, { keySetUrl: "https://a.example/jwks.json" });
    const twice = await signed(once);
    const [first, second] = twice["signatures"] as JsonObject[];
    expect(twice["signatures"]).toHaveLength(2);
    expect((once["signatures"] as JsonObject[])[0]).toEqual(first);
    expect(headerOf(first)).toEqual({
      alg: "ES256",
      typ: "JOSE",
      kid: "key-1",
      jku: "https://a.example/jwks.json",
    });
    expect(headerOf(second)).toEqual({ alg: "ES256", typ: "JOSE", kid: "key-1" });
  });

  it.each(["none", "HS256"])("refuses %s", async (algorithm) => {
    await expect(signed(CARD, { algorithm })).rejects.toThrow(`not with ${algorithm}`);
  });

  it("gives a card that the SDK verifies", async () => {
    const card = AgentCard.fromJSON(await signed());
    const verify = verifyAgentCardSignature(async (kid) => keyNamed(kid));
    await expect(verify(card)).resolves.toBeUndefined();
  });
});

describe("verifying a card", () => {
  it("says that a card is unsigned", async () => {
    expect(await verifyCard(CARD, { known }, never)).toEqual({ verdict: "unsigned" });
    expect(await verifyCard({ ...CARD, signatures: [] }, { known }, never)).toEqual({ verdict: "unsigned" });
  });

  it("names the key of a valid signature, whatever the order of fields and empty lists that were added", async () => {
    const card = await signed();
    const reordered = { ...Object.fromEntries(Object.entries(card).toReversed()), securityRequirements: [] };
    expect(await verifyCard(reordered, { known }, never)).toMatchObject({
      verdict: "valid",
      keyId: "key-1",
      algorithm: "ES256",
      form: "specification",
      uncovered: [],
    });
  });

  it.each([
    [
      "a changed address",
      {
        supportedInterfaces: [
          { url: "https://evil.example", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        ],
      },
    ],
    [
      "an optional field that was set to its default",
      { capabilities: { streaming: false, pushNotifications: false } },
    ],
  ])("finds %s", async (_, change) => {
    const card = { ...(await signed()), ...change };
    expect(await verifyCard(card, { known }, never)).toMatchObject({
      verdict: "invalid",
      why: "the signature does not fit the card",
      keyId: "key-1",
    });
  });

  it("verifies a card that the SDK signed, and says what its signature does not cover", async () => {
    const sign = generateAgentCardSignature(privateKey, { alg: "ES256", kid: "key-1", typ: "JOSE" });
    const card = AgentCard.toJSON(await sign(AgentCard.fromJSON({ ...CARD, description: "" }))) as JsonObject;
    expect(await verifyCard(card, { known }, never)).toMatchObject({ verdict: "valid" });
    const received = {
      ...card,
      description: "",
      later: 1,
      skills: [{ ...firstOf(card["skills"]), level: 9 }],
    };
    expect(await verifyCard(received, { known }, never)).toMatchObject({
      verdict: "valid",
      form: "sdk",
      uncovered: expect.arrayContaining(["later", "skills[0].level"]) as string[],
    });
  });

  it("says which fields were added that its signature does not cover", async () => {
    const card = { ...(await signed()), later: true };
    expect(await verifyCard(card, { known }, never)).toMatchObject({
      verdict: "valid",
      form: "sdk",
      uncovered: ["later"],
    });
  });

  it("cannot verify what an unknown key signed", async () => {
    const card = await signed(CARD, { keyId: "key-2" });
    expect(await verifyCard(card, { known }, never)).toMatchObject({
      verdict: "unverifiable",
      keyId: "key-2",
    });
  });

  it("finds a known key's name on another key's signature", async () => {
    const card = await signed(CARD, { privateKey: other });
    expect(await verifyCard(card, { known }, never)).toMatchObject({ verdict: "invalid", keyId: "key-1" });
  });

  it("takes one valid signature among others, and reports each", async () => {
    const card = await signed(await signed(await signed(CARD, { keyId: "key-2" }), { privateKey: other }));
    const verdict = await verifyCard(card, { known }, never);
    expect(verdict).toMatchObject({ verdict: "valid", keyId: "key-1" });
    expect("signatures" in verdict && verdict.signatures.map((one) => one.verdict)).toEqual([
      "unverifiable",
      "invalid",
      "valid",
    ]);
  });

  it("looks at sixteen signatures at most", async () => {
    const bad = { protected: "e30", signature: "" };
    const verdict = await verifyCard(
      { ...CARD, signatures: Array.from({ length: 1000 }, () => bad) },
      { known },
      never,
    );
    expect("signatures" in verdict && verdict.signatures).toHaveLength(16);
  });

  it.each<[string, Json, string]>([
    ["no object", 5, "the signature is no object"],
    ["no protected header", { signature: "x" }, "it has no `protected` and `signature`"],
    ["a header that is no JSON", { protected: "!!", signature: "x" }, "its protected header cannot be read"],
    [
      "no key id",
      { protected: encoded({ alg: "ES256" }), signature: "x" },
      "its protected header has no `kid`",
    ],
    [
      "no signature at all",
      { protected: encoded({ alg: "none", kid: "key-1" }), signature: "" },
      "its algorithm is none of",
    ],
    [
      "a shared secret",
      { protected: encoded({ alg: "HS256", kid: "key-1" }), signature: "x" },
      "its algorithm is none of",
    ],
  ])("refuses a signature with %s", async (_, signature, why) => {
    const verdict = await verifyCard({ ...CARD, signatures: [signature] }, { known }, never);
    expect(verdict).toMatchObject({ verdict: "invalid", why: expect.stringContaining(why) as string });
  });

  it("refuses a header that demands an extension which it does not know", async () => {
    const content = new TextEncoder().encode(signedContent(CARD, "specification"));
    const { protected: header, signature } = await new FlattenedSign(content)
      .setProtectedHeader({ alg: "ES256", kid: "key-1", crit: ["later"], later: true })
      .sign(privateKey, { crit: { later: true } });
    const card = { ...CARD, signatures: [{ protected: header ?? "", signature }] };
    expect(await verifyCard(card, { known }, never)).toMatchObject({ verdict: "invalid" });
  });
});

describe("the key set that a signature names", () => {
  const url = "https://a.example/jwks.json";
  const asked: string[] = [];
  const fetched = (allows: boolean) => ({
    allows: () => allows,
    fetch: (address: URL) => {
      asked.push(address.href);
      // A key set is JSON.
      return Promise.resolve(known as unknown as Json);
    },
  });
  const none: JSONWebKeySet = { keys: [] };

  it("is not asked unless that is allowed", async () => {
    const card = await signed(CARD, { keySetUrl: url });
    expect(await verifyCard(card, { known: none }, never)).toMatchObject({ verdict: "unverifiable" });
    expect(await verifyCard(card, { known: none, fetched: fetched(false) }, never)).toMatchObject({
      verdict: "unverifiable",
      why: expect.stringContaining("is not allowed") as string,
    });
    expect(asked).toEqual([]);
  });

  it("is not asked where the key is known", async () => {
    const card = await signed(CARD, { keySetUrl: url });
    expect(await verifyCard(card, { known, fetched: fetched(true) }, never)).toMatchObject({
      verdict: "valid",
    });
    expect(asked).toEqual([]);
  });

  it("is asked where that is allowed", async () => {
    const card = await signed(CARD, { keySetUrl: url });
    expect(await verifyCard(card, { known: none, fetched: fetched(true) }, never)).toMatchObject({
      verdict: "valid",
    });
    expect(asked).toEqual([url]);
  });

  it("that cannot be had leaves the card unverifiable", async () => {
    const card = await signed(CARD, { keySetUrl: url });
    const broken = { allows: () => true, fetch: () => Promise.reject(new Error("no route")) };
    expect(await verifyCard(card, { known: none, fetched: broken }, never)).toMatchObject({
      verdict: "unverifiable",
      why: expect.stringContaining("no route") as string,
    });
  });
});

function keyNamed(kid: string): JWK {
  const key = known.keys.find((candidate) => candidate.kid === kid);
  if (!key) throw new Error(`no key ${kid}`);
  return key;
}

function encoded(header: object): string {
  return Buffer.from(JSON.stringify(header)).toString("base64url");
}

function headerOf(signature: JsonObject | undefined): unknown {
  return JSON.parse(Buffer.from(signature?.["protected"] as string, "base64url").toString());
}

function firstOf(value: Json | undefined): JsonObject {
  return (value as JsonObject[])[0] ?? {};
}
