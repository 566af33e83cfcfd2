import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../core/json.ts";
import { createManualClock } from "../../../../test/support/manual-clock.ts";
import { eventually } from "../../../../test/support/eventually.ts";
import { callOf, openGateway, say } from "../../../../test/support/a2a/gateway-stage.ts";
import { cardOf, serveA2a, type Asked } from "../../../../test/support/a2a/scripted-server.ts";
import { taskOf } from "../../../../test/support/a2a/task-words.ts";
import { serveHttp } from "../../../../test/support/http/servers.ts";
import { codecOf } from "../codecs.ts";

const done = (asked: Asked): void => asked.result({ task: taskOf("COMPLETED") });
const bearer = (token: string) => ({
  apply: async ({ headers }: { headers: Record<string, string> }) =>
    void (headers["authorization"] = `Bearer ${token}`),
  renew: () => false,
});

describe("the card of an agent behind the A2A gateway", () => {
  it("names the gateway alone, under the alias, and keeps what the agent can do", async () => {
    const agent = await serveA2a(done, {
      card: (card) => ({
        ...card,
        capabilities: { streaming: true, pushNotifications: true, extensions: [{ uri: "urn:x" }] },
        signatures: [{ protected: "p", signature: "s" }],
        securitySchemes: { theirs: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
        securityRequirements: [{ schemes: { theirs: { list: [] } } }],
        documentationUrl: "https://docs.example",
        later: 1,
      }),
    });
    const { service } = await openGateway(agent.url, { isProtected: () => true });
    const card = await service.card(
      callOf({ origin: "https://edge.example", basePath: "/prefix/gateway/writer" }),
    );
    expect(card).toMatchObject({
      name: "writer",
      description: "an agent that a test plays",
      documentationUrl: "https://docs.example",
      later: 1,
      capabilities: { streaming: true, pushNotifications: false, extensions: [{ uri: "urn:x" }] },
      securitySchemes: { gateway: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
      securityRequirements: [{ schemes: { gateway: { list: [] } } }],
    });
    expect(card).not.toHaveProperty("signatures");
    const port = new URL(agent.url).port;
    for (const version of ["1.0", "0.3"] as const) {
      const written = JSON.stringify(codecOf(version).encodeCard(card));
      expect(written).not.toContain(port);
      expect(written).toContain("https://edge.example/prefix/gateway/writer");
    }
  });

  it("is written for where the client is, over HTTP, in both versions", async () => {
    const agent = await serveA2a(done, { version: "0.3" });
    const url = await (await openGateway(agent.url)).serve();
    const headers = {
      "x-forwarded-proto": "https",
      "x-forwarded-host": "edge.example",
      "x-forwarded-prefix": "/p",
    };
    const read = async (version: string) => {
      const sent = { ...headers, "a2a-version": version };
      const response = await fetch(`${url}/.well-known/agent-card.json`, { headers: sent });
      return (await response.json()) as JsonObject;
    };
    const at = "https://edge.example/p/writer";
    expect(await read("1.0")).toMatchObject({
      supportedInterfaces: [{ url: at }, { url: at }, { url: at }, { url: at }],
    });
    expect(await read("0.3")).toMatchObject({ url: at, name: "writer" });
  });

  it("is fetched once in a while, with credentials of its own, and serves on while it cannot be had", async () => {
    let version = 1;
    let isBroken = false;
    const agent = await serveA2a(done, {
      card: (card) => (isBroken ? undefined : { ...card, version: `${version}` }),
    });
    const clock = createManualClock();
    const problems: unknown[] = [];
    const { service } = await openGateway(agent.url, {
      clock,
      report: (problem) => problems.push(problem),
      agent: { auth: bearer("task"), cardAuth: bearer("card"), refreshMs: 60_000 },
    });
    const cards = () => agent.asked.filter(({ operation }) => operation === "card");
    await Promise.all([service.card(callOf()), service.card(callOf()), service.send(say("x"), callOf())]);
    expect(cards()).toHaveLength(1);
    expect(cards()[0]?.headers.authorization).toBe("Bearer card");
    expect(agent.asked.at(-1)?.headers.authorization).toBe("Bearer task");
    version = 2;
    clock.advance(59_000);
    expect((await service.card(callOf())).version).toBe("1");
    clock.advance(2000);
    await eventually(async () => expect((await service.card(callOf())).version).toBe("2"));
    expect(cards()).toHaveLength(2);
    isBroken = true;
    clock.advance(61_000);
    expect((await service.card(callOf())).version).toBe("2");
    await eventually(() => expect(problems).toHaveLength(1));
    expect((await service.card(callOf())).version).toBe("2");
  });

  it("may be written down instead: then none is asked for", async () => {
    const agent = await serveA2a(done, { card: () => undefined });
    const card = codecOf("1.0").decodeCard({ ...cardOf("1.0", "JSONRPC", agent.url), description: "fixed" });
    const { service } = await openGateway(agent.url, { agent: { card } });
    expect((await service.card(callOf())).description).toBe("fixed");
    await service.send(say("x"), callOf());
    expect(agent.asked.map(({ operation }) => operation)).toEqual(["send"]);
  });

  it("leads to no other host, unless that is allowed, and then without credentials", async () => {
    const elsewhere = await serveA2a(done);
    const lying = await serveA2a(done, {
      card: (card) => ({
        ...card,
        supportedInterfaces: [{ url: elsewhere.url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
      }),
    });
    const agent = { auth: bearer("secret"), headers: { "x-key": "secret" }, allowHeaders: ["x-session"] };
    const strict = await openGateway(lying.url, { agent });
    await expect(strict.service.send(say("x"), callOf())).rejects.toMatchObject({
      reason: "UNAVAILABLE",
      message: expect.stringContaining("another host") as string,
    });
    expect(elsewhere.asked).toEqual([]);
    const loose = await openGateway(lying.url, { agent: { ...agent, allowHosts: ["*"] } });
    await loose.service.send(say("x"), callOf({ headers: { "x-session": "s" } }));
    expect(elsewhere.asked.at(-1)?.operation).toBe("send");
    for (const name of ["authorization", "x-key", "x-session"]) {
      expect(elsewhere.asked.at(-1)?.headers).not.toHaveProperty(name);
    }
    const named = await openGateway(lying.url, {
      agent: { ...agent, allowHosts: [new URL(elsewhere.url).host] },
    });
    await named.service.send(say("x"), callOf());
    expect(elsewhere.asked.at(-1)?.headers.authorization).toBe("Bearer secret");
  });

  it("is not looked for behind a redirect", async () => {
    const elsewhere = await serveA2a(done);
    let asked = 0;
    const server = await serveHttp((_request, response) => {
      asked++;
      response.writeHead(302, { location: `${elsewhere.url}/.well-known/agent-card.json` }).end();
    });
    const { service } = await openGateway(server.url, { agent: { cardAuth: bearer("secret") } });
    await expect(service.card(callOf())).rejects.toMatchObject({ reason: "UNAVAILABLE" });
    expect(asked).toBeGreaterThan(0);
    expect(elsewhere.asked).toEqual([]);
  });
});
