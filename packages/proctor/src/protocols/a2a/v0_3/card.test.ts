import { describe, expect, it } from "vitest";
import { caught } from "../../../../test/support/a2a/caught.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { Loss, WireProblem } from "../codec.ts";
import type { AgentCard } from "../model.ts";
import { v03 } from "./codec.ts";

const REST = {
  name: "Writer",
  description: "Writes",
  version: "2.1.0",
  capabilities: { streaming: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "w", name: "Write", description: "Writes", tags: ["text"] }],
};
const CARD: JsonObject = {
  ...REST,
  protocolVersion: "0.3.0",
  url: "https://a.example/rpc",
  preferredTransport: "JSONRPC",
};
const decoded = (card: JsonObject): AgentCard => v03.decodeCard(card);
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function encoded(card: JsonObject): { card: JsonObject; losses: string[] } {
  const losses: Loss[] = [];
  const model = { ...REST, supportedInterfaces: [], ...card } as AgentCard;
  return { card: v03.encodeCard(model, losses), losses: losses.map(({ path }) => path) };
}

describe("the interfaces of a card of A2A 0.3", () => {
  it("are one list inside, the preferred one first and once", () => {
    const card = {
      ...CARD,
      additionalInterfaces: [
        { url: "a.example:50051", transport: "GRPC" },
        { url: "https://a.example/rpc", transport: "JSONRPC" },
      ],
    };
    const model = decoded(card);
    expect(plain(model.supportedInterfaces)).toEqual([
      { url: "https://a.example/rpc", protocolBinding: "JSONRPC", protocolVersion: "0.3" },
      { url: "a.example:50051", protocolBinding: "GRPC", protocolVersion: "0.3" },
    ]);
    expect(v03.encodeCard(model)).toEqual(card);
  });

  it("follow an address that was rewritten", () => {
    const model = decoded({
      ...CARD,
      additionalInterfaces: [{ url: "https://a.example/rpc", transport: "JSONRPC" }],
    });
    const rewritten = {
      ...model,
      supportedInterfaces: model.supportedInterfaces.map((entry) => ({
        ...entry,
        url: "https://gateway.example",
      })),
    };
    expect(v03.encodeCard(rewritten)).toMatchObject({
      url: "https://gateway.example",
      additionalInterfaces: [{ url: "https://gateway.example", transport: "JSONRPC" }],
    });
  });

  it("speak JSON-RPC where the card does not say, and 0.3 where it is of 0.2", () => {
    const card = { ...REST, protocolVersion: "0.2.6", url: "https://a.example/rpc" };
    const model = decoded(card);
    expect(plain(model.supportedInterfaces)).toEqual([
      { url: "https://a.example/rpc", protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ]);
    expect(v03.encodeCard(model)).toEqual(card);
  });

  it("of a card of 1.0 are those that speak 0.3", () => {
    const supportedInterfaces = [
      { url: "https://a.example/v1", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url: "https://a.example/rest", protocolBinding: "HTTP+JSON", protocolVersion: "0.3", tenant: "x" },
      { url: "https://a.example/rpc", protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ];
    const { card, losses } = encoded({ supportedInterfaces });
    expect(card).toEqual({
      ...REST,
      protocolVersion: "0.3.0",
      url: "https://a.example/rest",
      preferredTransport: "HTTP+JSON",
      additionalInterfaces: [
        { url: "https://a.example/rest", transport: "HTTP+JSON" },
        { url: "https://a.example/rpc", transport: "JSONRPC" },
      ],
    });
    expect(losses).toEqual(["card.supportedInterfaces[0]", "card.supportedInterfaces[1].tenant"]);
  });

  it("are all listed where none speaks 0.3", () => {
    const supportedInterfaces = [
      { url: "https://a.example/v1", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    ];
    const { card, losses } = encoded({ supportedInterfaces });
    expect(card).toMatchObject({ url: "https://a.example/v1", preferredTransport: "JSONRPC" });
    expect(losses).toEqual(["card.supportedInterfaces"]);
  });
});

describe("the security of a card of A2A 0.3", () => {
  const securitySchemes = {
    key: { type: "apiKey", in: "header", name: "X-Key", description: "a key" },
    bearer: { type: "http", scheme: "Bearer", bearerFormat: "JWT" },
    oauth: {
      type: "oauth2",
      oauth2MetadataUrl: "https://i.example",
      flows: {
        password: { tokenUrl: "https://i.example/t", scopes: {} },
        clientCredentials: { tokenUrl: "https://i.example/t", scopes: { read: "Reads" } },
      },
    },
    oidc: { type: "openIdConnect", openIdConnectUrl: "https://i.example/.well-known" },
    tls: { type: "mutualTLS" },
    later: { type: "quantum", entangled: true },
  };

  it("has 1.0's schemes and requirements inside, and is written as it was", () => {
    const skills = [
      { id: "w", name: "Write", description: "Writes", tags: ["text"], security: [{ oauth: ["read"] }] },
    ];
    const card = { ...CARD, skills, securitySchemes, security: [{ key: [], oauth: ["read"] }, { tls: [] }] };
    const model = decoded(card);
    expect(plain(model.securitySchemes)).toEqual({
      key: { apiKeySecurityScheme: { location: "header", name: "X-Key", description: "a key" } },
      bearer: { httpAuthSecurityScheme: { scheme: "Bearer", bearerFormat: "JWT" } },
      oauth: {
        oauth2SecurityScheme: {
          oauth2MetadataUrl: "https://i.example",
          flows: { clientCredentials: { tokenUrl: "https://i.example/t", scopes: { read: "Reads" } } },
        },
      },
      oidc: { openIdConnectSecurityScheme: { openIdConnectUrl: "https://i.example/.well-known" } },
      tls: { mtlsSecurityScheme: {} },
      later: { type: "quantum", entangled: true },
    });
    expect(model.securityRequirements).toEqual([
      { schemes: { key: { list: [] }, oauth: { list: ["read"] } } },
      { schemes: { tls: { list: [] } } },
    ]);
    expect(model.skills[0]?.securityRequirements).toEqual([{ schemes: { oauth: { list: ["read"] } } }]);
    expect(v03.encodeCard(model)).toEqual(card);
  });

  it("loses the flow of devices, PKCE, and schemes that only 1.0 knows", () => {
    const { card, losses } = encoded({
      securitySchemes: {
        device: {
          oauth2SecurityScheme: {
            flows: { deviceCode: { deviceAuthorizationUrl: "d", tokenUrl: "t", scopes: {} } },
          },
        },
        code: {
          oauth2SecurityScheme: {
            flows: {
              authorizationCode: { authorizationUrl: "a", tokenUrl: "t", scopes: {}, pkceRequired: true },
            },
          },
        },
        later: { quantumSecurityScheme: {} },
      },
    });
    expect(card["securitySchemes"]).toEqual({
      device: { type: "oauth2", flows: {} },
      code: {
        type: "oauth2",
        flows: { authorizationCode: { authorizationUrl: "a", tokenUrl: "t", scopes: {} } },
      },
    });
    expect(losses.filter((path) => path.includes("securitySchemes"))).toEqual([
      "card.securitySchemes.device.oauth2SecurityScheme.flows.deviceCode",
      "card.securitySchemes.code.oauth2SecurityScheme.flows.authorizationCode.pkceRequired",
      "card.securitySchemes.later",
    ]);
  });
});

describe("a card of A2A 0.3", () => {
  it("says in its capabilities whether there is an extended card, and keeps what 1.0 dropped", () => {
    const card = {
      ...CARD,
      capabilities: { streaming: true, stateTransitionHistory: true },
      supportsAuthenticatedExtendedCard: true,
      signatures: [{ protected: "a", signature: "b" }],
    };
    const model = decoded(card);
    expect(plain(model.capabilities)).toEqual({ streaming: true, extendedAgentCard: true });
    // It was made of 0.3's text, and fits no other.
    expect(model).not.toHaveProperty("signatures");
    expect(v03.encodeCard(model)).toEqual(card);
  });

  it("does not carry a signature of 1.0's text", () => {
    const supportedInterfaces = [{ url: "u", protocolBinding: "JSONRPC", protocolVersion: "0.3" }];
    const { card, losses } = encoded({
      supportedInterfaces,
      signatures: [{ protected: "a", signature: "b" }],
    });
    expect(card).not.toHaveProperty("signatures");
    expect(losses).toEqual(["card.signatures"]);
  });

  it("is used with an address alone, and what is missing is noted", () => {
    const problems: WireProblem[] = [];
    const model = v03.decodeCard({ url: "https://a.example" }, problems);
    expect(model).toMatchObject({ name: "", capabilities: {}, skills: [], defaultInputModes: [] });
    expect(problems.map(({ path }) => path)).toContain("card.capabilities");
    expect(caught(() => v03.decodeCard({ name: "Writer" })).reason).toBe("INVALID_AGENT_RESPONSE");
  });
});
