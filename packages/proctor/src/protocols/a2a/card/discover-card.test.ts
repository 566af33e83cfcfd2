// From an address to the interface that is used: where cards are, which of their interfaces is taken, and who may see our credentials.
import { FlattenedSign, exportJWK, generateKeyPair } from "jose";
import { describe, expect, it } from "vitest";
import { drive } from "../../../../test/support/protocols/drive.ts";
import { serveHttp, serveHttps } from "../../../../test/support/http/servers.ts";
import { CERTIFICATE } from "../../../../test/support/http/test-certificate.ts";
import { json } from "../../../../test/support/a2a/client-calls.ts";
import { cardOf, serveA2a, type Asked } from "../../../../test/support/a2a/scripted-server.ts";
import { taskOf } from "../../../../test/support/a2a/task-words.ts";
import type { AgentSpec } from "../../../core/agent.ts";
import { canonicalJson } from "../../../core/canonical-json.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import { pickInterface } from "./pick-interface.ts";
import { trustHosts } from "./trusted-hosts.ts";

const done = (asked: Asked): void => asked.result({ task: taskOf("COMPLETED") });

function specOf(url: string, options: JsonObject = {}, headers?: Record<string, string>): AgentSpec {
  return { protocol: "a2a", transport: "http", url, options, ...(headers && { headers }) };
}

/** A server whose cards are where a test wants them. */
async function cardsAt(paths: Record<string, (url: string) => Json>, status = 404) {
  const asked: string[] = [];
  const { url } = await serveHttp((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const card = paths[path];
    if (card) return json(response, card(url));
    if (request.method === "POST") {
      return json(response, { jsonrpc: "2.0", id: 1, result: { task: taskOf("COMPLETED") } });
    }
    return json(response, { error: "nothing here" }, status);
  });
  return { url, asked };
}

const card = (url: string): JsonObject => cardOf("1.0", "JSONRPC", `${url}/rpc`, false);

describe("the card of an agent", () => {
  it("is looked for below the address, then where 0.2 had it, then at the address itself", async () => {
    const first = await cardsAt({ "/agents/a/.well-known/agent-card.json": card });
    expect((await drive(specOf(`${first.url}/agents/a/`))).end.status).toBe("completed");
    expect(first.asked).toEqual(["/agents/a/.well-known/agent-card.json", "/rpc"]);
    const old = await cardsAt({
      "/.well-known/agent.json": (url) => cardOf("0.3", "JSONRPC", `${url}/rpc`, false),
    });
    await drive(specOf(old.url));
    expect(old.asked.slice(0, 2)).toEqual(["/.well-known/agent-card.json", "/.well-known/agent.json"]);
    const itself = await cardsAt({ "/a": card });
    await drive(specOf(`${itself.url}/a`));
    expect(itself.asked.at(-2)).toBe("/a");
    const file = await cardsAt({ "/cards/a.json": card });
    await drive(specOf(`${file.url}/cards/a.json`));
    expect(file.asked[0]).toBe("/cards/a.json");
  });

  it("that is nowhere is a failure that says what was tried, and what to do", async () => {
    const { url } = await cardsAt({});
    const { end } = await drive(specOf(`${url}/x`));
    expect(end.failure).toMatchObject({
      code: "INVALID_RESPONSE",
      details: { tried: ["/x/.well-known/agent-card.json", "/x/.well-known/agent.json", "/x"] },
    });
    expect(end.failure?.message).toContain("options.binding and options.version");
  });

  it("may be missing where the options say what is spoken, or that there is none", async () => {
    const missing = await cardsAt({});
    const spoken = { binding: "JSONRPC", version: "1.0", stream: false };
    expect((await drive(specOf(`${missing.url}/rpc`, spoken))).end.status).toBe("completed");
    const none = await cardsAt({});
    expect((await drive(specOf(`${none.url}/rpc`, { ...spoken, card: false }))).end.status).toBe("completed");
    expect(none.asked).toEqual(["/rpc"]);
  });

  it("of nobody who listens is a failure of the connection, though the options say what is spoken", async () => {
    const { url, port } = await serveHttp(() => undefined);
    const closed = url.replace(String(port), "1");
    const { end } = await drive(specOf(closed, { binding: "JSONRPC", version: "1.0" }));
    expect(end.failure).toMatchObject({ code: "UNREACHABLE" });
  });

  it.each<[what: string, answer: (url: string) => Json, message: RegExp]>([
    ["is too large", () => ({ name: "x".repeat(2_000_000) }), /larger than 1048576 bytes/],
    ["is a list", () => [], /no JSON object/],
    ["has no interface", (url) => ({ ...card(url), supportedInterfaces: [] }), /./],
    [
      "has only interfaces of other bindings",
      (url) => cardWith(url, { protocolBinding: "urn:pigeon" }),
      /does not speak/,
    ],
    [
      "has only interfaces of other versions",
      (url) => cardWith(url, { protocolVersion: "7.0" }),
      /does not speak/,
    ],
    ["has an address that is none", (url) => cardWith(url, { url: "::" }), /./],
    ["leads to a file", (url) => cardWith(url, { url: "file:///etc/passwd" }), /./],
    ["leads to another host", (url) => cardWith(url, { url: "http://169.254.169.254/" }), /another host/],
    [
      "is nested too deeply",
      () => JSON.parse(`${"[".repeat(250)}${"]".repeat(250)}`) as Json,
      /nested deeper/,
    ],
  ])("is refused when it %s", async (_what, answer, message) => {
    const { url } = await cardsAt({ "/.well-known/agent-card.json": answer });
    const { end } = await drive(specOf(url));
    expect(end.status).toBe("failed");
    expect(end.failure?.message).toMatch(message);
  });

  it("is not followed to where it redirects", async () => {
    const elsewhere = await cardsAt({ "/.well-known/agent-card.json": card });
    const { url } = await serveHttp((_request, response) => {
      response.writeHead(302, { location: `${elsewhere.url}/.well-known/agent-card.json` }).end();
    });
    const { end } = await drive(specOf(url));
    expect(end.failure?.message).toContain("redirects are not followed");
    expect(elsewhere.asked).toEqual([]);
  });
});

function cardWith(url: string, more: JsonObject): JsonObject {
  const [first] = card(url)["supportedInterfaces"] as JsonObject[];
  return { ...card(url), supportedInterfaces: [{ ...first, ...more }] };
}

describe("the interface of a card", () => {
  const at = (url: string, protocolBinding = "JSONRPC", protocolVersion = "1.0") => ({
    url,
    protocolBinding,
    protocolVersion,
  });
  const hosts = trustHosts(new URL("http://h"));
  const offered = {
    supportedInterfaces: [
      at("http://h/0", "urn:x"),
      at("http://h/1", "HTTP+JSON"),
      at("http://h/2", "JSONRPC", "0.3"),
      at("http://h/3"),
    ],
  };

  it("is the first that is spoken, unless the options want another", () => {
    const urlFor = (wanted: Parameters<typeof pickInterface>[1]): string | undefined => {
      const picked = pickInterface(offered, wanted, hosts);
      return picked.ok ? picked.interface.url : undefined;
    };
    expect(urlFor({})).toBe("http://h/1");
    expect(urlFor({ binding: "JSONRPC" })).toBe("http://h/2");
    expect(urlFor({ binding: "JSONRPC", version: "1.0" })).toBe("http://h/3");
    expect(urlFor({ interface: "http://h/3/" })).toBe("http://h/3");
    expect(urlFor({ version: "0.3" })).toBe("http://h/2");
    expect(urlFor({ binding: "GRPC" })).toBeUndefined();
  });

  it("is passed over where the client may not go, and the reason is said", () => {
    const elsewhere = { supportedInterfaces: [at("http://other/1"), at("http://h/2")] };
    expect(pickInterface(elsewhere, {}, hosts)).toMatchObject({ interface: { url: "http://h/2" } });
    const only = pickInterface({ supportedInterfaces: [at("http://other/1")] }, {}, hosts);
    expect(only).toMatchObject({ ok: false, why: expect.stringContaining("options.allow_hosts") as string });
  });
});

describe("credentials and the hosts of a card", () => {
  const headers = { "X-Secret": "mine" };
  const auth = { type: "bearer", token: "secret" };

  async function twoHosts(options: JsonObject) {
    const other = await serveA2a(done);
    const home = await serveA2a(done, {
      streaming: false,
      card: (own) => ({
        ...own,
        supportedInterfaces: [{ url: other.url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
      }),
    });
    const { end } = await drive(specOf(home.url, { auth, ...options }, headers));
    return { end, home, other };
  }

  it("go with the request for the card, which is at the agent's own address", async () => {
    const { home } = await twoHosts({});
    expect(home.asked[0]?.headers).toMatchObject({ authorization: "Bearer secret", "x-secret": "mine" });
  });

  it("stay here when the card leads elsewhere, and nobody is asked there", async () => {
    const { end, other } = await twoHosts({});
    expect(end.failure?.message).toContain("another host");
    expect(other.asked).toEqual([]);
  });

  it("stay here when the options let the card lead anywhere", async () => {
    const { end, other } = await twoHosts({ allow_hosts: ["*"] });
    expect(end.status).toBe("completed");
    expect(other.asked.length).toBeGreaterThan(0);
    for (const { headers: seen } of other.asked) {
      expect(seen).not.toHaveProperty("authorization");
      expect(seen).not.toHaveProperty("x-secret");
    }
  });

  it("go along when the options name the host", async () => {
    const { end, other } = await twoHosts({ allow_hosts: ["127.0.0.1"] });
    expect(end.status).toBe("completed");
    expect(other.asked[0]?.headers).toMatchObject({ authorization: "Bearer secret" });
  });

  it("are never sent unencrypted where the agent's address is encrypted", async () => {
    const plain = await serveA2a(done);
    const secure = await serveHttps((_request, response) => json(response, card(plain.url)));
    const spec = {
      ...specOf(secure.url, { auth, tls: { ca: CERTIFICATE }, allow_hosts: ["*"] }),
      transport: "https",
    };
    const { end } = await drive(spec);
    expect(end.failure?.message).toContain("is not encrypted");
    expect(plain.asked).toEqual([]);
  });
});

describe("a card that must be signed", () => {
  it("is taken with a signature by one of the keys, and refused without one, or changed", async () => {
    const { publicKey, privateKey } = await generateKeyPair("ES256");
    const key = { ...(await exportJWK(publicKey)), kid: "k1", alg: "ES256" } as JsonObject;
    const sign = async (content: JsonObject): Promise<JsonObject> => {
      const payload = new TextEncoder().encode(canonicalJson(content));
      const signed = await new FlattenedSign(payload)
        .setProtectedHeader({ alg: "ES256", typ: "JOSE", kid: "k1" })
        .sign(privateKey);
      return { ...content, signatures: [{ protected: signed.protected ?? "", signature: signed.signature }] };
    };
    const served = async (change: (signed: JsonObject) => JsonObject) => {
      let sent: Json = null;
      const server = await cardsAt({ "/.well-known/agent-card.json": () => sent });
      sent = change(await sign(card(server.url)));
      return drive(specOf(server.url, { card_keys: [key] }));
    };
    expect((await served((signed) => signed)).end.status).toBe("completed");
    const changed = await served((signed) => ({ ...signed, name: "somebody else" }));
    expect(changed.end.failure?.message).toContain("is not trusted");
    const unsigned = await served((signed) => ({ ...signed, signatures: [] }));
    expect(unsigned.end.failure?.message).toContain("is not trusted");
  });
});
