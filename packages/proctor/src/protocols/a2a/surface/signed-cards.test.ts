// Cards that the hub signs: what each client gets of them, and whether it can tell that they are the hub's.
import { generateKeyPairSync } from "node:crypto";
import { AgentCard, verifyAgentCardSignature } from "@a2a-js/sdk";
import type { JSONWebKeySet, JWK } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import { openHubStage, type HubStage } from "../../../../test/support/a2a/hub-stage.ts";
import type { JsonObject } from "../../../core/json.ts";
import { readSigningKey } from "../card/read-signing-key.ts";
import { verifyCard } from "../card/verify-card.ts";

const CARD = "/.well-known/agent-card.json";
const never = new AbortController().signal;

let stage: HubStage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

async function open(options: { needsToken?: boolean } = {}): Promise<{ hub: HubStage; keys: JSONWebKeySet }> {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const text = JSON.stringify({ ...privateKey.export({ format: "jwk" }), kid: "hub-1" });
  stage = await openHubStage({ ...options, surface: { cardKey: await readSigningKey(text) } });
  const keys = (await (await fetch(`${stage.origin}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
  return { hub: stage, keys };
}

describe("a card that the hub signs", () => {
  it.each([
    ["of a client of 1.0", { "a2a-version": "1.0" }],
    ["of a client of 0.3", { "a2a-version": "0.3" }],
    ["of a client that names no version", {}],
  ])("verifies for the driver with the keys that the hub publishes: %s", async (_what, headers) => {
    for (const needsToken of [false, true]) {
      const { hub, keys } = await open({ needsToken });
      const { body } = await hub.send("GET", CARD, { headers });
      expect(await verifyCard(body, { known: keys }, never)).toMatchObject({
        verdict: "valid",
        keyId: "hub-1",
        form: "specification",
        uncovered: [],
      });
      const forged = { ...body, description: "another agent" };
      expect(await verifyCard(forged, { known: keys }, never)).toMatchObject({ verdict: "invalid" });
      await hub.close();
      stage = undefined;
    }
  });

  it.each([
    ["who names its version", { "a2a-version": "1.0" }],
    ["who names none", {}],
  ])("verifies for a client of the official SDK %s", async (_what, headers) => {
    // Of a card with security schemes the SDK forgets these before it verifies, so that none of them does.
    const { hub, keys } = await open();
    const { body } = await hub.send("GET", CARD, { headers });
    const asked: unknown[] = [];
    const verify = verifyAgentCardSignature(async (kid, jku) => {
      asked.push([kid, jku]);
      return keys.keys.find((key) => key.kid === kid) as JWK;
    });
    await expect(verify(AgentCard.fromJSON(body))).resolves.toBeUndefined();
    expect(asked[0]).toEqual(["hub-1", `${hub.origin}/.well-known/jwks.json`]);
  });

  it("has one signature where all verifiers take the same text, and stays the same bytes", async () => {
    const { hub } = await open();
    const [one, two] = await Promise.all(
      [1, 2].map(() => hub.send("GET", CARD, { headers: { "a2a-version": "1.0" } })),
    );
    expect(one?.body.signatures).toHaveLength(1);
    expect(two?.body).toEqual(one?.body);
    const etag = one?.headers.get("etag") ?? "";
    const again = await hub.send("GET", CARD, { headers: { "a2a-version": "1.0", "if-none-match": etag } });
    expect(again.status).toBe(304);
  });

  it("is published with the public half of the key alone, and cannot be changed", async () => {
    const { hub, keys } = await open();
    expect(Object.keys(keys.keys[0] as unknown as JsonObject).toSorted()).toEqual(
      ["alg", "crv", "kid", "kty", "use", "x", "y"].toSorted(),
    );
    const url = `${hub.origin}/.well-known/jwks.json`;
    expect((await fetch(url, { method: "POST" })).status).toBe(405);
    expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
  });

  it("is what only a hub with a key has", async () => {
    stage = await openHubStage();
    expect((await stage.send("GET", CARD)).body).not.toHaveProperty("signatures");
    expect((await fetch(`${stage.origin}/.well-known/jwks.json`)).status).toBe(404);
  });
});
