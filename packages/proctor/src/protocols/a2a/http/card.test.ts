import { describe, expect, it } from "vitest";
import { CARD, createFake } from "../../../../test/support/a2a/fake-service.ts";
import type { AgentCard } from "../model.ts";

const PATH = "/.well-known/agent-card.json";
const get = (headers: Record<string, string> = {}) => ({ headers });

describe("the public card", () => {
  it("is that of the version a client asks for", async () => {
    const { fetch } = createFake();
    const v1 = await (await fetch(PATH, get({ "a2a-version": "1.0" }))).json();
    expect(v1).toEqual(CARD);
    const v03 = (await (await fetch(PATH, get({ "a2a-version": "0.3" }))).json()) as object;
    expect(v03).toMatchObject({
      url: "https://a2a.example/fake",
      preferredTransport: "JSONRPC",
      protocolVersion: "0.3.0",
      securitySchemes: { key: { type: "http", scheme: "Bearer" } },
    });
    expect(v03).not.toHaveProperty("supportedInterfaces");
  });

  it("is given to clients of a version that it does not have, and says which there are", async () => {
    const { fetch } = createFake();
    const unknown = await fetch(PATH, get({ "a2a-version": "9.9" }));
    expect(unknown.status).toBe(200);
    expect(await unknown.json()).toMatchObject({ supportedInterfaces: CARD.supportedInterfaces });
  });

  it("can be read by clients of both versions where none is named", async () => {
    const { fetch } = createFake();
    for (const path of [PATH, "/.well-known/agent.json"])
      expect(await (await fetch(path)).json()).toMatchObject({
        url: "https://a2a.example/fake",
        supportedInterfaces: CARD.supportedInterfaces,
        securitySchemes: { key: { type: "http", httpAuthSecurityScheme: { scheme: "Bearer" } } },
      });
    const only = createFake({}, { unversionedCard: "1.0" });
    expect(await (await only.fetch(PATH)).json()).toEqual(CARD);
    const one = createFake({}, { versions: ["1.0"] });
    expect(await (await one.fetch(PATH)).json()).toEqual(CARD);
  });

  it("shows a signature only where it holds", async () => {
    const card = { ...CARD, signatures: [{ protected: "p", signature: "s" }] };
    const { fetch } = createFake({}, { card });
    expect(await (await fetch(PATH, get({ "a2a-version": "1.0" }))).json()).toEqual(card);
    expect(await (await fetch(PATH)).json()).not.toHaveProperty("signatures");
  });

  it("can be kept, and is sent again only when it has changed", async () => {
    let card: AgentCard = CARD;
    const { fetch } = createFake({ card: () => Promise.resolve(card) }, { cardMaxAgeSeconds: 5 });
    const first = await fetch(PATH);
    const etag = first.headers.get("etag") ?? "";
    expect(first.headers.get("cache-control")).toBe("public, max-age=5");
    expect(first.headers.get("vary")).toContain("A2A-Version");
    const modified = first.headers.get("last-modified") ?? "";
    expect(Date.parse(modified)).not.toBeNaN();
    expect((await fetch(PATH, get({ "if-none-match": etag }))).status).toBe(304);
    expect((await fetch(PATH, get({ "if-none-match": `W/"x", W/${etag}` }))).status).toBe(304);
    expect((await fetch(PATH, get({ "if-modified-since": modified }))).status).toBe(304);
    expect((await fetch(PATH, get({ "if-none-match": '"x"', "if-modified-since": modified }))).status).toBe(
      200,
    );
    expect((await fetch(PATH, get({ "if-none-match": etag, "a2a-version": "1.0" }))).status).toBe(200);
    card = { ...CARD, name: "other" };
    expect((await fetch(PATH, get({ "if-none-match": etag }))).status).toBe(200);
  });

  it("can only be read", async () => {
    const { fetch } = createFake();
    const head = await fetch(PATH, { method: "HEAD" });
    expect([head.status, await head.text(), head.headers.has("etag")]).toEqual([200, "", true]);
    const post = await fetch(PATH, { method: "POST" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("is asked for under the name that the client used, whatever is in between", async () => {
    const seen: string[] = [];
    const { fetch } = createFake({
      card({ origin, basePath }) {
        seen.push(origin + basePath);
        return Promise.resolve(CARD);
      },
    });
    const forwarded = { "x-forwarded-proto": "https", "x-forwarded-host": "agents.example:8443, inner" };
    await fetch(PATH);
    await fetch(PATH, get(forwarded));
    await fetch(PATH, get({ ...forwarded, "x-forwarded-prefix": "/team/" }));
    await fetch(PATH, get({ "x-forwarded-host": "evil.example/path", "x-forwarded-prefix": "/../x" }));
    expect(seen).toEqual([
      "http://127.0.0.1/base",
      "https://agents.example:8443/base",
      "https://agents.example:8443/team/base",
      "http://127.0.0.1/base",
    ]);
  });
});
