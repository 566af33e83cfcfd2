import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { OPERATOR, requireAgent, requireScope, type Caller } from "../core/caller.ts";
import { ProctorError, type ErrorCode } from "../core/errors.ts";
import { openTestAccess, type TestAccess } from "../../test/support/open-test-access.ts";
import { MAX_WRONG_TOKENS } from "./refusals.ts";
import { mintToken } from "./token-text.ts";

let access: TestAccess;

beforeEach(async () => {
  access = await openTestAccess();
});
afterEach(() => access.close());

const identify = async (secret: string, address = "10.0.0.1"): Promise<Caller> =>
  access.authority.identify(secret, address);

async function refusal(secret: string, address?: string): Promise<ErrorCode | undefined> {
  try {
    await identify(secret, address);
    return undefined;
  } catch (error) {
    if (!ProctorError.is(error)) throw error;
    return error.code;
  }
}

describe("the authority", () => {
  it("says who holds a token: its name, scopes and binding", async () => {
    const binding = { kind: "agent", name: "writer" } as const;
    const { token, secret } = await access.tokens.create({ name: "ci", scopes: ["runs:*"], binding });
    expect(await identify(secret)).toMatchObject({ name: `token:${token.id}`, scopes: ["runs:*"], binding });
  });

  it("answers at once for a token that it knows", async () => {
    const { secret } = await access.tokens.create({ name: "ci", scopes: ["runs:read"] });
    await identify(secret);
    expect(access.authority.identify(secret)).not.toBeInstanceOf(Promise);
  });

  it("refuses what is no token, one of an unknown id, and one with another's secret", async () => {
    const { token } = await access.tokens.create({ name: "ci", scopes: ["runs:read"] });
    expect(await refusal("nonsense")).toBe("UNAUTHORIZED");
    expect(await refusal(mintToken("api").text)).toBe("UNAUTHORIZED");
    expect(await refusal(mintToken("api", token.id).text)).toBe("UNAUTHORIZED");
    expect(await refusal(mintToken("agent", token.id).text)).toBe("UNAUTHORIZED");
  });

  it("keeps no secret anywhere: only digests are stored", async () => {
    const { secret, token } = await access.tokens.create({ name: "ci", scopes: ["admin"] });
    const stored = JSON.stringify(await access.hub.store.tokens.read(token.id));
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(secret.slice(-49));
  });

  it("refuses a token from the moment at which it expires", async () => {
    const { secret } = await access.tokens.create({
      name: "x",
      scopes: ["runs:read"],
      expires_in_seconds: 60,
    });
    access.clock.advance(59_999);
    expect(await refusal(secret)).toBeUndefined();
    access.clock.advance(1);
    expect(await refusal(secret)).toBe("UNAUTHORIZED");
  });

  it("lets a token last 90 days unless it says otherwise, and one that never expires for ever", async () => {
    const usual = await access.tokens.create({ name: "x", scopes: ["runs:read"] });
    const ever = await access.tokens.create({ name: "x", scopes: ["runs:read"], expires_in_seconds: null });
    access.clock.advance(90 * 86_400_000);
    expect(await refusal(usual.secret)).toBe("UNAUTHORIZED");
    expect(await refusal(ever.secret)).toBeUndefined();
  });

  it("refuses a revoked token at once, also after a restart", async () => {
    const { secret, token } = await access.tokens.create({ name: "x", scopes: ["runs:read"] });
    await identify(secret);
    await access.tokens.revoke(token.id);
    expect(await refusal(secret)).toBe("UNAUTHORIZED");
    const { authority } = await access.again();
    await expect(async () => authority.identify(secret)).rejects.toThrow(/was revoked/);
  });

  it("takes both secrets of a rotated token while they overlap, and then the new one alone", async () => {
    const { secret, token } = await access.tokens.create({ name: "x", scopes: ["runs:read"] });
    const rotated = await access.tokens.rotate(token.id, 3600);
    expect([await refusal(secret), await refusal(rotated.secret)]).toEqual([undefined, undefined]);
    access.clock.advance(3_600_000);
    expect([await refusal(secret), await refusal(rotated.secret)]).toEqual(["UNAUTHORIZED", undefined]);
  });

  it("forgets the secret before the last one at the second rotation", async () => {
    const { secret, token } = await access.tokens.create({ name: "x", scopes: ["runs:read"] });
    const second = await access.tokens.rotate(token.id);
    const third = await access.tokens.rotate(token.id);
    expect(await refusal(secret)).toBe("UNAUTHORIZED");
    expect([await refusal(second.secret), await refusal(third.secret)]).toEqual([undefined, undefined]);
  });

  it("answers a token that is used too often with the time to wait, and takes it again then", async () => {
    const rate = { per_second: 2, burst: 3 };
    const { secret } = await access.tokens.create({ name: "x", scopes: ["runs:read"], rate });
    for (let count = 0; count < 3; count++) expect(await refusal(secret)).toBeUndefined();
    await expect(identify(secret)).rejects.toMatchObject({
      code: "RATE_LIMITED",
      details: { retry_after_seconds: 1 },
    });
    access.clock.advance(500);
    expect(await refusal(secret)).toBeUndefined();
    expect(await refusal(secret)).toBe("RATE_LIMITED");
  });

  it("slows down whoever tries wrong tokens in bulk, and never a right one from the same address", async () => {
    const { secret } = await access.tokens.create({ name: "x", scopes: ["runs:read"] });
    for (let count = 0; count < MAX_WRONG_TOKENS; count++)
      expect(await refusal(mintToken("api").text)).toBe("UNAUTHORIZED");
    expect(await refusal(mintToken("api").text)).toBe("RATE_LIMITED");
    expect(await refusal(secret)).toBeUndefined();
    expect(await refusal("guess", "10.0.0.2")).toBe("UNAUTHORIZED");
    access.clock.advance(60_000);
    expect(await refusal(mintToken("api").text)).toBe("UNAUTHORIZED");
  });

  it("notes refused tokens once and then once a minute per address, without the tokens", async () => {
    const { text } = mintToken("api");
    for (let count = 0; count < 50; count++) await refusal(text);
    access.clock.advance(60_000);
    const { items } = await access.tokens.audit({});
    const refused = items.filter(({ action }) => action === "token.refused");
    expect(refused.map(({ details }) => (details as { count: number }).count)).toEqual([49, 1]);
    expect(JSON.stringify(items)).not.toContain(text.slice(-49));
  });

  it("notes what a caller was refused once and then once a minute, with the first reason", async () => {
    const binding = { kind: "agent", name: "writer" } as const;
    const { secret, token } = await access.tokens.create({ name: "ci", scopes: ["runs:read"], binding });
    const caller = await identify(secret);
    const name = `token:${token.id}`;
    for (let count = 0; count < 50; count++) {
      expect(() => requireScope(caller, "runs:write")).toThrow(/no scope/);
      expect(() => requireAgent(caller, "reader")).toThrow(/not for "reader"/);
    }
    access.clock.advance(60_000);
    const { items } = await access.tokens.audit({ actor: name });
    const noted = items.filter(({ action }) => action === "access.denied");
    const reason = 'SCOPE_MISSING: this token has no scope "runs:write"';
    expect(noted).toMatchObject([
      { subject: name, details: { reason, count: 99 } },
      { subject: name, details: { reason, count: 1 } },
    ]);
  });

  it("notes when a token was last used, to the minute", async () => {
    const { secret, token } = await access.tokens.create({ name: "x", scopes: ["runs:read"] });
    access.clock.advance(90_000);
    await identify(secret);
    access.clock.advance(1000);
    await expect
      .poll(async () => (await access.tokens.get(token.id)).last_used_at)
      .toBe("2026-01-01T00:01:00.000Z");
  });

  it("aborts what a token holds open when it is revoked, and when it expires", async () => {
    const one = await access.tokens.create({ name: "x", scopes: ["runs:read"] });
    const two = await access.tokens.create({ name: "x", scopes: ["runs:read"], expires_in_seconds: 60 });
    const first = access.authority.ended(await identify(one.secret));
    const second = access.authority.ended(await identify(two.secret));
    expect(access.authority.ended(OPERATOR)).toBeUndefined();
    await access.tokens.rotate(one.token.id);
    expect([first?.aborted, second?.aborted]).toEqual([false, false]);
    await access.tokens.revoke(one.token.id);
    access.clock.advance(60_000);
    expect([first?.aborted, second?.aborted]).toEqual([true, true]);
  });
});

describe("a hub", () => {
  it("is closed from the first token on, and no end of a token opens it again", async () => {
    expect(access.authority.closed()).toBe(false);
    const first = await access.tokens.create({ name: "x", scopes: ["runs:read"], expires_in_seconds: 1 });
    expect(first.closed_hub).toBe(true);
    const second = await access.tokens.create({ name: "y", scopes: ["runs:read"] });
    expect(second.closed_hub).toBeUndefined();
    await access.tokens.revoke(first.token.id);
    await access.tokens.revoke(second.token.id);
    access.clock.advance(10 * 365 * 86_400_000);
    expect((await access.again()).authority.closed()).toBe(true);
  });

  it("stays open when an agent gets a token", async () => {
    const binding = { kind: "agent", name: "writer" } as const;
    const issued = await access.tokens.create({
      kind: "agent",
      name: "x",
      scopes: ["messages:send"],
      binding,
    });
    expect(issued.closed_hub).toBeUndefined();
    expect(access.authority.closed()).toBe(false);
  });

  it("is closed by tokens of its configuration", async () => {
    const configured = await openTestAccess(true);
    expect(configured.authority.closed()).toBe(true);
    await configured.close();
  });
});

describe("an enrolment token", () => {
  it("registers one agent, whoever else tries at the same time, and is worth nothing afterwards", async () => {
    const { secret } = await access.tokens.create({ kind: "enrol", name: "x", scopes: [] });
    const caller = await identify(secret);
    expect(caller.scopes).toEqual(["agents:register"]);
    const tries = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => access.authority.enrol(caller, `agent-${index}`)),
    );
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(identify(secret)).rejects.toThrow(/used before/);
    await expect((await access.again()).authority.enrol(caller, "late")).rejects.toMatchObject({
      code: "UNAUTHORIZED",
    });
  });

  it("is needed by nobody who holds another token", async () => {
    const { secret } = await access.tokens.create({ name: "x", scopes: ["agents:register"] });
    await expect(access.authority.enrol(await identify(secret), "writer")).resolves.toBeUndefined();
    await expect(access.authority.enrol(OPERATOR, "writer")).resolves.toBeUndefined();
  });

  it("is noted with the agent that used it", async () => {
    const { secret, token } = await access.tokens.create({ kind: "enrol", name: "x", scopes: [] });
    await access.authority.enrol(await identify(secret), "writer");
    const { items } = await access.tokens.audit({ subject: "agent:writer" });
    expect(items).toMatchObject([{ action: "agent.enrolled", actor: `token:${token.id}` }]);
    expect((await access.tokens.get(token.id)).used_by).toBe("writer");
  });
});

describe("the token of a run", () => {
  it("is for reading that run, and for nothing else", async () => {
    access.live.add("r1");
    const text = await access.authority.issueForRun("r1", "writer", access.clock.now() + 60_000);
    expect(await identify(text)).toMatchObject({
      name: "run:r1",
      scopes: ["runs:read"],
      binding: { kind: "run", name: "r1" },
    });
  });

  it("ends with its run, and at its time", async () => {
    access.live.add("r1");
    const text = await access.authority.issueForRun("r1", "writer", access.clock.now() + 60_000);
    access.live.delete("r1");
    expect(await refusal(text)).toBe("UNAUTHORIZED");
    access.live.add("r1");
    expect(await refusal(text)).toBeUndefined();
    access.clock.advance(61_000);
    expect(await refusal(text)).toBe("UNAUTHORIZED");
  });

  it("cannot be made up, changed, or signed in another way", async () => {
    access.live.add("r1");
    access.live.add("r2");
    const text = await access.authority.issueForRun("r1", "writer", access.clock.now() + 60_000);
    const [head = "", body = "", signature = ""] = text.slice("hub_run_".length).split(".");
    const payload = JSON.parse(Buffer.from(body, "base64url").toString()) as object;
    const other = Buffer.from(JSON.stringify({ ...payload, sub: "r2" })).toString("base64url");
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    for (const wrong of [
      `${head}.${other}.${signature}`,
      `${none}.${other}.`,
      `${none}.${body}.${signature}`,
      "",
      "a.b.c",
      "x".repeat(5000),
    ])
      expect(await refusal(`hub_run_${wrong}`)).toBe("UNAUTHORIZED");
  });
});
