// What the push receiver checks: tokens, credentials, signatures and JWTs, over a real socket.
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import { startOAuth } from "../../../../test/support/doubles/oauth-lab.ts";
import { startPush, task03, webhook } from "../../../../test/support/doubles/push-receiver.ts";
import { listen } from "../../../runtime/http/listen.ts";
import { sign } from "../../../webhooks/sign.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

describe("The push receiver verifies", () => {
  it.each([
    [{ token: "t0ken" }, "token", "x-a2a-notification-token", "t0ken"],
    [{ authorization: "Bearer s3cret" }, "authorization", "authorization", "Bearer s3cret"],
  ])("%j", async (verify, name, header, right) => {
    const push = await startPush({ verify });
    const answers = [
      await push.send(task03("working")),
      await push.send(task03("working"), { [header]: "wrong" }),
      await push.send(task03("working"), { [header]: right }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 200]);
    expect(answers[0]?.headers.get("www-authenticate")).toBe('Bearer realm="proctor"');
    const found = push.deliveries().map(({ checks }) => checks?.[name]);
    expect(found).toEqual(["missing", "wrong", "ok"]);
    expect(JSON.stringify(push.deliveries())).not.toContain(right);
  });

  it("the signature of Proctor's webhooks, over the bytes and the time", async () => {
    const push = await startPush({ verify: { secret: "hush", tolerance_seconds: 60 } });
    const body = JSON.stringify(webhook(1));
    const now = push.clock.now();
    const signed = (text: string, at = now, secret = "hush"): Record<string, string> => ({
      "x-proctor-signature": sign(secret, text, at),
    });
    await push.send(body, signed(body));
    await push.send(body, signed(body, now, "wrong secret"));
    await push.send(body, signed(`${body} `));
    await push.send(body, signed(body, now - 61_000));
    await push.send(body, signed(body, now + 61_000));
    await push.send(body, { "x-proctor-signature": "v1=abc" });
    await push.send(body);
    expect(push.deliveries().map(({ status, checks }) => [status, checks?.["signature"]])).toEqual([
      [200, "ok"],
      [401, "wrong"],
      [401, "wrong"],
      [401, "too old or too new"],
      [401, "too old or too new"],
      [401, "malformed"],
      [401, "missing"],
    ]);
  });

  it("a JWT against a key set", async () => {
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    const keys = [{ ...(await exportJWK(publicKey)), kid: "k", alg: "ES256" }];
    const server = await listen({
      host: "127.0.0.1",
      port: 0,
      app: { fetch: () => Response.json({ keys }) },
    });
    closing.push(() => server.close(0));
    const push = await startPush({
      verify: { jwt: { jwks_url: `${server.url}/jwks`, issuer: "https://agent.example", audience: "me" } },
    });
    const now = push.clock.now() / 1000;
    const send = async (claims: object, key = privateKey): Promise<number> => {
      const token = await new SignJWT({ iss: "https://agent.example", aud: "me", exp: now + 60, ...claims })
        .setProtectedHeader({ alg: "ES256", kid: "k" })
        .sign(key);
      return (await push.send(task03("working"), { authorization: `Bearer ${token}` })).status;
    };
    const { privateKey: other } = await generateKeyPair("ES256");
    expect(await send({})).toBe(200);
    expect(await send({ iss: "https://evil.example" })).toBe(401);
    expect(await send({ aud: "you" })).toBe(401);
    expect(await send({ exp: now - 1 })).toBe(401);
    expect(await send({}, other)).toBe(401);
    expect((await push.send(task03("working"))).status).toBe(401);
    const found = push.deliveries().map(({ checks }) => checks?.["jwt"]);
    expect(found).toEqual([
      "ok",
      expect.stringContaining("iss"),
      expect.stringContaining("aud"),
      expect.stringContaining("exp"),
      expect.stringContaining("signature"),
      "missing",
    ]);
  });

  it("tokens that an OAuth lab has signed", async () => {
    const oauth = await startOAuth();
    const push = await startPush({
      verify: { jwt: { jwks_url: `${oauth.url}/jwks`, issuer: oauth.issuer } },
    });
    const { access_token: token } = (await oauth.token({ grant_type: "client_credentials" })).body;
    expect((await push.send(task03("working"), { authorization: `Bearer ${token}` })).status).toBe(200);
  });

  it("and only takes note where the script refuses nobody", async () => {
    const push = await startPush({ verify: { token: "t0ken" }, refuse_unverified: false });
    expect((await push.send(task03("working"))).status).toBe(200);
    expect(push.deliveries()[0]?.checks).toEqual({ token: "missing" });
  });
});
