// Faults on demand, and clients that the mock OAuth server has to survive.
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { basic, startOAuth } from "../../../../test/support/doubles/oauth-lab.ts";

const CREDENTIALS = { grant_type: "client_credentials" };

describe("A fault of the OAuth lab", () => {
  it("is an error for the first requests, with the time to wait", async () => {
    const lab = await startOAuth({
      faults: [{ at: "token", status: 429, error: "slow_down", retry_after: 7, times: 2 }],
    });
    const answers = [
      await lab.token(CREDENTIALS),
      await lab.token(CREDENTIALS),
      await lab.token(CREDENTIALS),
    ];
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 200]);
    expect([answers[0]?.headers.get("retry-after"), answers[0]?.body["error"]]).toEqual(["7", "slow_down"]);
    expect((await fetch(`${lab.url}/jwks`)).status).toBe(200);
  });

  it("can let some requests go well before", async () => {
    const lab = await startOAuth({ faults: [{ at: "jwks", status: 503, after: 1, times: 1 }] });
    const statuses = [];
    for (const _ of [1, 2, 3]) statuses.push((await fetch(`${lab.url}/jwks`)).status);
    expect(statuses).toEqual([200, 503, 200]);
  });

  it("is JSON that breaks off", async () => {
    const lab = await startOAuth({ faults: [{ at: "token", malformed: true }] });
    await expect(lab.token(CREDENTIALS)).rejects.toThrow(SyntaxError);
  });

  it("is a connection that is cut, which the log still has", async () => {
    const lab = await startOAuth({ faults: [{ at: "token", cut: true, times: 1 }] });
    await expect(lab.token(CREDENTIALS)).rejects.toThrow("fetch failed");
    expect(lab.requests()).toMatchObject([{ endpoint: "token", status: 0, faults: ["cut"] }]);
    expect((await lab.token(CREDENTIALS)).status).toBe(200);
  });

  it("is an answer that comes late, by the lab's clock", async () => {
    const lab = await startOAuth({ faults: [{ at: "token", delay_ms: 60_000 }] });
    const answer = lab.token(CREDENTIALS);
    await expect.poll(() => lab.clock.waiting).toBe(1);
    expect(lab.requests()).toEqual([]);
    lab.clock.advance(60_000);
    expect((await answer).status).toBe(200);
  });

  it("can be replaced while the lab runs, and says what is wrong with it", async () => {
    const lab = await startOAuth();
    lab.setFaults([{ at: "token", status: 500, times: 1 }]);
    expect((await lab.token(CREDENTIALS)).status).toBe(500);
    // @ts-expect-error: a fault without an effect.
    expect(() => lab.setFaults([{ at: "tokens" }])).toThrow(/0\.at.*must be "discovery" or/);
    expect(() => lab.setFaults([{ at: "token" }])).toThrow("this fault does nothing");
    expect(() => lab.setFaults([{ at: "jwks", token: "expired" }])).toThrow(
      'only the endpoint "token" gives tokens',
    );
  });
});

describe("The OAuth lab refuses", () => {
  const post = (url: string, body: string, type = "application/x-www-form-urlencoded"): Promise<Response> =>
    fetch(url, { method: "POST", body, headers: { "content-type": type, ...basic("test", "secret") } });

  it("a parameter that is there twice", async () => {
    const lab = await startOAuth();
    const response = await post(`${lab.url}/token`, "grant_type=client_credentials&scope=read&scope=write");
    expect([response.status, await response.json()]).toMatchObject([400, { error: "invalid_request" }]);
    const twice = await fetch(`${lab.url}/authorize?client_id=test&client_id=test`);
    expect(twice.status).toBe(400);
  });

  it("a body that is no form", async () => {
    const lab = await startOAuth();
    const response = await post(
      `${lab.url}/token`,
      '{"grant_type":"client_credentials"}',
      "application/json",
    );
    expect([response.status, await response.json()]).toMatchObject([400, { error: "invalid_request" }]);
  });

  it("a body that is too large, before it is read", async () => {
    const lab = await startOAuth();
    const response = await post(`${lab.url}/token`, `x=${"y".repeat(70_000)}`);
    expect([response.status, await response.json()]).toMatchObject([413, { error: "invalid_request" }]);
    expect(lab.requests()).toMatchObject([{ status: 413 }]);
  });

  it("other methods at the token endpoint", async () => {
    const lab = await startOAuth();
    const response = await fetch(`${lab.url}/token?grant_type=client_credentials`, {
      headers: basic("test", "secret"),
    });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("paths that there are not, and shows them in its log", async () => {
    const lab = await startOAuth();
    expect((await fetch(`${lab.url}/register`, { method: "POST" })).status).toBe(404);
    expect(lab.requests()).toMatchObject([{ endpoint: "none", path: "/register", status: 404 }]);
  });

  it("requests that a web page makes, and names that are not this machine's", async () => {
    const lab = await startOAuth();
    const page = await fetch(`${lab.url}/jwks`, { headers: { origin: "https://evil.example" } });
    expect(page.status).toBe(403);
    const socket = connect(Number(new URL(lab.url).port), "127.0.0.1");
    socket.end("GET /jwks HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n");
    const [head] = (await once(socket, "data")) as [Buffer];
    expect(head.toString()).toMatch(/^HTTP\/1\.1 403 /);
  });

  it("credentials that cannot be decoded", async () => {
    const lab = await startOAuth();
    for (const value of ["Basic %%%", "Basic", `Basic ${Buffer.from("no colon").toString("base64")}`]) {
      expect((await lab.token(CREDENTIALS, { authorization: value })).status).toBe(401);
    }
    expect((await lab.token(CREDENTIALS, basic("%E0%A4%A", "x"))).status).toBe(401);
  });
});

describe("The log of the OAuth lab", () => {
  it("has every request, and nothing that proves anything", async () => {
    const lab = await startOAuth({ clients: [{ id: "test", secret: "correct horse" }] });
    const { location } = await lab.authorize();
    const code = location?.searchParams.get("code") ?? "";
    await lab.token(
      { grant_type: "authorization_code", code, code_verifier: "wrong-verifier", state: "correct horse" },
      basic("test", "correct+horse"),
    );
    const text = JSON.stringify(lab.requests());
    expect(text).not.toContain("correct");
    expect(text).not.toContain(code);
    expect(text).not.toContain("wrong-verifier");
    expect(lab.requests()[1]).toMatchObject({
      number: 2,
      endpoint: "token",
      client_id: "test",
      grant_type: "authorization_code",
      status: 400,
      error: "invalid_grant",
      headers: { authorization: "Basic [redacted:authorization]" },
      parameters: { code: "[redacted:code]", code_verifier: "[redacted:code_verifier]" },
    });
  });

  it("is waited for without asking again and again", async () => {
    const lab = await startOAuth();
    const two = lab.waitFor(2, AbortSignal.timeout(60_000));
    await lab.token(CREDENTIALS);
    await lab.token(CREDENTIALS);
    expect(await two).toHaveLength(2);
    await expect(lab.waitFor(3, AbortSignal.abort())).rejects.toThrow("2 of 3 requests came in time");
  });

  it("keeps no answer back but the one whose request cannot be recorded", async () => {
    let broken = true;
    const lab = await startOAuth(
      {},
      {
        onRequest: async () => {
          if (broken) throw new Error("disk full");
        },
      },
    );
    expect((await lab.token(CREDENTIALS)).status).toBe(503);
    broken = false;
    expect((await lab.token(CREDENTIALS)).status).toBe(200);
  });
});

describe("The control API of the OAuth lab", () => {
  const call = (url: string, method: string, body?: unknown): Promise<Response> =>
    fetch(url, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });

  it("lists, awaits and forgets requests, replaces keys and faults, and verifies tokens", async () => {
    const lab = await startOAuth();
    const control = `${lab.url}/__control`;
    const { access_token: token } = (await lab.token({ ...CREDENTIALS, scope: "read" })).body;
    expect(await (await call(`${control}/requests`, "GET")).json()).toMatchObject({
      items: [{ endpoint: "token" }],
    });
    expect((await call(`${control}/requests/wait?count=2&timeout_ms=0`, "GET")).status).toBe(408);
    const verified = await call(`${control}/verify`, "POST", { token, scopes: ["write"] });
    expect(await verified.json()).toMatchObject({ ok: false, error: "insufficient_scope" });
    expect(await (await call(`${control}/rollover`, "POST")).json()).toEqual({ kid: expect.any(String) });
    expect((await call(`${control}/faults`, "PUT", [{ at: "token", status: 500 }])).status).toBe(204);
    expect((await lab.token(CREDENTIALS)).status).toBe(500);
    expect((await call(`${control}/faults`, "PUT", [{ at: "nowhere" }])).status).toBe(400);
    expect((await call(`${control}/requests`, "DELETE")).status).toBe(204);
    expect(lab.requests()).toEqual([]);
  });
});
