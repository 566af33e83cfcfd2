// Who we are, on the wire: every kind of credentials, tokens that are fetched, shared and renewed, certificates of clients.
import type { IncomingMessage } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { serveHttp } from "../../../../../test/support/http/servers.ts";
import { CERTIFICATE, PRIVATE_KEY } from "../../../../../test/support/http/test-certificate.ts";
import { call, errorOf, failureCode, http, json } from "../../../../../test/support/a2a/client-calls.ts";
import { TASK, taskOf } from "../../../../../test/support/a2a/task-words.ts";
import { secretsOfOptions } from "../../../../core/option-secrets.ts";
import type { JsonObject } from "../../../../core/json.ts";
import type { Clock } from "../../../../core/ports/clock.ts";
import { systemClock } from "../../../../runtime/time/system-clock.ts";
import { readOptions } from "../../driver/options.ts";
import type { A2aService } from "../../service.ts";
import { createA2aClient } from "../create-a2a-client.ts";
import type { ClientAuth } from "./client-auth.ts";
import { createAuths } from "./auths.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function authOf(options: JsonObject, clock: Clock = systemClock): ClientAuth {
  const read = readOptions(options);
  if (!read.ok) throw new Error(JSON.stringify(read.findings));
  return createAuths({ http, clock }).of(read.value);
}

function clientWith(url: string, auth: ClientAuth): A2aService {
  return createA2aClient({
    interface: { url, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
    http,
    auth,
  });
}

/** An agent that notes what it is shown, and says who may come in. */
async function agent(isWelcome: (request: IncomingMessage) => boolean = () => true) {
  const shown: IncomingMessage[] = [];
  const { url } = await serveHttp((request, response) => {
    shown.push(request);
    if (isWelcome(request)) return json(response, taskOf("WORKING"));
    json(response, { error: "who?" }, 401);
  });
  return { url, shown };
}

/** A token server that gives `token-1`, `token-2` and so on. */
async function tokenServer(answer?: (count: number) => [status: number, body: unknown]) {
  const asked: { headers: IncomingMessage["headers"]; form: URLSearchParams }[] = [];
  const { url } = await serveHttp((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      asked.push({ headers: request.headers, form: new URLSearchParams(text) });
      const usual = { access_token: `token-${asked.length}`, token_type: "Bearer", expires_in: 60 };
      const [status, body] = answer?.(asked.length) ?? [200, usual];
      json(response, body, status);
    });
  });
  return { url: `${url}/token`, asked };
}

function oauth(token_url: string, more: JsonObject = {}): JsonObject {
  return { auth: { type: "oauth2", token_url, client_id: "me:1", client_secret: "s3cret&", ...more } };
}

describe("credentials of an A2A client", () => {
  it.each<[kind: string, auth: JsonObject, seen: (request: IncomingMessage) => unknown, expected: string]>([
    ["bearer", { type: "bearer", token: "t" }, ({ headers }) => headers.authorization, "Bearer t"],
    [
      "basic",
      { type: "basic", username: "ü", password: "p:w" },
      ({ headers }) => headers.authorization,
      `Basic ${Buffer.from("ü:p:w").toString("base64")}`,
    ],
    [
      "a key in a header",
      { type: "api_key", name: "X-Key", api_key: "k" },
      ({ headers }) => headers["x-key"],
      "k",
    ],
    [
      "a key in the query",
      { type: "api_key", name: "key", in: "query", api_key: "a&b" },
      ({ url }) => url,
      `/tasks/${TASK}?key=a%26b`,
    ],
    [
      "a key in a cookie",
      { type: "api_key", name: "sid", in: "cookie", api_key: "a;b" },
      ({ headers }) => headers.cookie,
      "sid=a%3Bb",
    ],
  ])("are shown as %s", async (_kind, auth, seen, expected) => {
    const { url, shown } = await agent();
    await clientWith(url, authOf({ auth })).getTask({ id: TASK }, call);
    expect(shown.map(seen)).toEqual([expected]);
  });

  it("stand in options under names that are masked", () => {
    const options: JsonObject = {
      a: { type: "bearer", token: "1" },
      b: { type: "api_key", name: "n", api_key: "2" },
      c: { type: "basic", username: "u", password: "3" },
      d: { type: "oauth2", client_id: "i", client_secret: "4" },
      tls: { cert: "c", private_key: "5" },
    };
    expect(secretsOfOptions(options).map(({ value }) => value)).toEqual(["1", "2", "3", "4", "5"]);
  });

  it("that are refused are an error, and are not shown twice where there are no others", async () => {
    const { url, shown } = await agent(() => false);
    const error = await errorOf(
      clientWith(url, authOf({ auth: { type: "bearer", token: "t" } })).getTask({ id: TASK }, call),
    );
    expect([error.reason, shown.length]).toEqual(["UNAUTHENTICATED", 1]);
  });
});

describe("tokens by client credentials", () => {
  it("are asked for once, with the scopes, and shared until they expire", async () => {
    let now = 1_000_000;
    const clock: Clock = { now: () => now, after: (ms, ring) => systemClock.after(ms, ring) };
    const tokens = await tokenServer();
    const { url, shown } = await agent();
    const client = clientWith(url, authOf(oauth(tokens.url, { scopes: ["a", "b"], audience: "x" }), clock));
    await Promise.all([1, 2, 3].map(() => client.getTask({ id: TASK }, call)));
    now += 45_000;
    await client.getTask({ id: TASK }, call);
    expect(shown.map(({ headers }) => headers.authorization)).toEqual(Array(4).fill("Bearer token-1"));
    now += 10_000;
    await client.getTask({ id: TASK }, call);
    expect(shown.at(-1)?.headers.authorization).toBe("Bearer token-2");
    expect(tokens.asked).toHaveLength(2);
    expect(Object.fromEntries(tokens.asked[0]?.form ?? [])).toEqual({
      grant_type: "client_credentials",
      scope: "a b",
      audience: "x",
    });
    const pair = Buffer.from("me%3A1:s3cret%26").toString("base64");
    expect(tokens.asked[0]?.headers.authorization).toBe(`Basic ${pair}`);
  });

  it("are renewed when the agent answers 401, once for each request", async () => {
    const tokens = await tokenServer();
    const { url, shown } = await agent(({ headers }) => headers.authorization === "Bearer token-2");
    const auth = authOf(oauth(tokens.url));
    await clientWith(url, auth).getTask({ id: TASK }, call);
    expect(shown.map(({ headers }) => headers.authorization)).toEqual(["Bearer token-1", "Bearer token-2"]);
    const stubborn = await agent(() => false);
    const error = await errorOf(clientWith(stubborn.url, auth).getTask({ id: TASK }, call));
    expect([error.reason, stubborn.shown.length]).toEqual(["UNAUTHENTICATED", 2]);
  });

  it("may be asked for with the secret in the body", async () => {
    const tokens = await tokenServer();
    const { url } = await agent();
    await clientWith(url, authOf(oauth(tokens.url, { credentials_in: "body" }))).getTask({ id: TASK }, call);
    expect(tokens.asked[0]?.headers.authorization).toBeUndefined();
    expect(Object.fromEntries(tokens.asked[0]?.form ?? [])).toMatchObject({
      client_id: "me:1",
      client_secret: "s3cret&",
    });
  });

  it.each<[what: string, status: number, body: unknown, code: string]>([
    [
      "an error that quotes the secret",
      400,
      { error: "invalid_client", error_description: "s3cret& is wrong" },
      "HTTP_ERROR",
    ],
    ["no token", 200, { token_type: "Bearer" }, "INVALID_RESPONSE"],
    ["a token with a line break", 200, { access_token: "a\r\nb" }, "INVALID_RESPONSE"],
    ["a token of another kind", 200, { access_token: "a", token_type: "mac" }, "INVALID_RESPONSE"],
    ["text", 200, "token", "WRONG_CONTENT_TYPE"],
    ["a redirect", 302, "", "HTTP_ERROR"],
  ])(
    "that are not had because of %s fail the request before it is sent, and hide the secret",
    async (_what, status, body, code) => {
      const tokens = await tokenServer(() => [status, body]);
      const { url, shown } = await agent();
      const error = await errorOf(clientWith(url, authOf(oauth(tokens.url))).getTask({ id: TASK }, call));
      expect([error.reason, failureCode(error), shown.length]).toEqual(["UNAUTHENTICATED", code, 0]);
      expect(JSON.stringify([error.message, error.cause])).not.toContain("s3cret");
    },
  );
});

describe("a certificate of the client", () => {
  it("is shown to a server that asks for one, and nothing is said to a server that nobody trusts", async () => {
    const server = createSecureServer(
      { cert: CERTIFICATE, key: PRIVATE_KEY, ca: CERTIFICATE, requestCert: true, rejectUnauthorized: true },
      (_request, response) => json(response, taskOf("WORKING")),
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    closing.push(() => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))));
    // A server on a port has an address with a port.
    const url = `https://localhost:${(server.address() as AddressInfo).port}`;
    const tls = { ca: CERTIFICATE, cert: CERTIFICATE, private_key: PRIVATE_KEY };
    await clientWith(url, authOf({ tls })).getTask({ id: TASK }, call);
    const nameless = await errorOf(
      clientWith(url, authOf({ tls: { ca: CERTIFICATE } })).getTask({ id: TASK }, call),
    );
    expect(failureCode(nameless)).toMatch(/TLS_FAILED|CONNECTION_LOST/);
    const distrusting = await errorOf(clientWith(url, authOf({})).getTask({ id: TASK }, call));
    expect(failureCode(distrusting)).toBe("TLS_FAILED");
  });

  it.each<[what: string, options: JsonObject, message: RegExp]>([
    ["a certificate without its key", { tls: { cert: CERTIFICATE } }, /"cert" needs "private_key"/],
    ["a key that is a path", { tls: { ca: "/etc/ca.pem" } }, /must be PEM/],
    ["an unknown kind", { auth: { type: "magic" } }, /type/],
    ["a header with a blank", { auth: { type: "api_key", name: "x y", api_key: "k" } }, /HTTP allows/],
    ["a colon in a user's name", { auth: { type: "basic", username: "a:b", password: "" } }, /no colon/],
    ["no card, and nothing instead", { card: false }, /must say "binding" and "version"/],
    ["an option nobody knows", { bindings: "JSONRPC" }, /unknown key "bindings"/],
    ["a host with a path", { allow_hosts: ["h/x"] }, /must be a host/],
  ])("and other options are refused for %s", (_what, options, message) => {
    const read = readOptions(options);
    expect(read.ok ? [] : read.findings.map((finding) => finding.message).join("\n")).toMatch(message);
  });
});
