import { canonicalizeAgentCard, type AgentCard } from "@a2a-js/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CARD } from "../../../../test/support/a2a/card.ts";
import { cardsV1 } from "../../../../test/support/a2a/messages-v1.ts";
import { propertyRuns } from "../../../../test/support/property-runs.ts";
import type { JsonObject } from "../../../core/json.ts";
import { signedContent } from "./signed-content.ts";

describe("what is signed of a card", () => {
  it("is the example of section 8.4.1", () => {
    const card = {
      name: "Example Agent",
      description: "",
      capabilities: { streaming: false, pushNotifications: false, extensions: [] },
      skills: [],
    };
    expect(signedContent(card, "specification")).toBe(
      '{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[]}',
    );
  });

  it("leaves out signatures and what says nothing, and keeps what nobody knows", () => {
    const card = {
      ...CARD,
      signatures: [{ protected: "a", signature: "b" }],
      later: { b: 1, a: "" },
      iconUrl: "",
    };
    const content = JSON.parse(signedContent(card, "specification")) as JsonObject;
    expect(content).toEqual({
      ...CARD,
      iconUrl: "",
      later: { a: "", b: 1 },
      capabilities: { streaming: false },
      skills: [{ id: "write", name: "Write", description: "Writes", tags: ["text"] }],
    });
  });

  it("is what the SDK signs, for every card, in its form", () => {
    fc.assert(
      fc.property(cardsV1, (card) => {
        // Of the wire's JSON: of an object of its own the SDK forgets the security schemes.
        expect(signedContent(card, "sdk")).toBe(canonicalizeAgentCard(card as unknown as AgentCard));
      }),
      { numRuns: propertyRuns(400) },
    );
  });
});
