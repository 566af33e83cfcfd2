// Cases of a store: tokens, and the audit log.
import { expect, it } from "vitest";
import type { Store } from "../../core/ports/store.ts";
import { AUDIT_LIMITS, type StoredToken } from "../../core/ports/token-store.ts";
import type { Token } from "../../core/token.ts";
import { NOW } from "../../../test/support/stores/fixtures.ts";

const time = (ms: number): string => new Date(ms).toISOString();

function token(id: string, changes: Partial<Token> = {}): StoredToken {
  return {
    token: {
      id,
      kind: "api",
      name: `the token ${id}`,
      scopes: ["runs:read", "agents:*"],
      binding: { kind: "folder", name: "team" },
      rate: { per_second: 0.5, burst: 3 },
      created_at: time(NOW),
      created_by: "operator",
      expires_at: time(NOW + 1000),
      revoked_at: null,
      last_used_at: null,
      previous_until: null,
      used_by: null,
      ...changes,
    },
    digest: `digest of ${id}`,
    previousDigest: null,
  };
}

const entry = (action: string, at = NOW, subject = "token:a") => ({
  actor: "operator",
  action,
  subject,
  details: { name: "x", nested: [1, null] },
  at,
});

export function tokenCases(use: () => Store, reopen: () => Promise<Store>): void {
  it("keeps a token with its digest, also after a restart", async () => {
    await use().tokens.add(token("a"));
    const { tokens } = await reopen();
    expect(await tokens.read("a")).toEqual(token("a"));
    expect(await tokens.read("b")).toBeUndefined();
  });

  it("lists tokens without digests, newest first, in pages", async () => {
    const { tokens } = use();
    for (const id of ["a", "b", "c"]) await tokens.add(token(id));
    const first = await tokens.list({ limit: 2 });
    expect(first.items).toEqual([token("c").token, token("b").token]);
    const next = await tokens.list({ limit: 2, cursor: first.next_cursor ?? "" });
    expect(next).toEqual({ items: [token("a").token], next_cursor: null });
    expect(JSON.stringify(first)).not.toContain("digest");
  });

  it("is closed for good by the first token of kind api or enrol, and by no agent's", async () => {
    const { tokens } = use();
    expect(await tokens.isClosed()).toBe(false);
    await tokens.add(token("a", { kind: "agent" }));
    expect(await tokens.isClosed()).toBe(false);
    await tokens.add(token("b", { kind: "enrol" }));
    await tokens.revoke("b", NOW);
    expect(await (await reopen()).tokens.isClosed()).toBe(true);
  });

  it("gives a token a new digest and keeps the one before, unless it is revoked", async () => {
    const { tokens } = use();
    await tokens.add(token("a"));
    const rotated = await tokens.rotate("a", "second", NOW + 50);
    expect(rotated).toMatchObject({ digest: "second", previousDigest: "digest of a" });
    expect(rotated?.token.previous_until).toBe(time(NOW + 50));
    const again = await tokens.rotate("a", "third", NOW + 60);
    expect(again).toMatchObject({ digest: "third", previousDigest: "second" });
    await tokens.revoke("a", NOW);
    expect(await tokens.rotate("a", "fourth", NOW)).toBeUndefined();
    expect(await tokens.rotate("b", "x", NOW)).toBeUndefined();
  });

  it("revokes a token once: the first time counts", async () => {
    const { tokens } = use();
    await tokens.add(token("a"));
    await tokens.revoke("a", NOW + 1);
    expect((await tokens.revoke("a", NOW + 2))?.token.revoked_at).toBe(time(NOW + 1));
    expect(await tokens.revoke("b", NOW)).toBeUndefined();
  });

  it("lets exactly one of many use up an enrolment token, also after a restart", async () => {
    const { tokens } = use();
    await tokens.add(token("a", { kind: "enrol", expires_at: null }));
    const tries = Array.from({ length: 20 }, (_, index) => tokens.use("a", `agent-${index}`, NOW));
    const won = (await Promise.all(tries)).flatMap((used, index) => (used ? [`agent-${index}`] : []));
    expect(won).toHaveLength(1);
    const { tokens: later } = await reopen();
    expect(await later.use("a", "late", NOW)).toBe(false);
    expect((await later.read("a"))?.token.used_by).toBe(won[0]);
  });

  it("uses up no token that is none for enrolment, is revoked, or has expired", async () => {
    const { tokens } = use();
    await tokens.add(token("api"));
    await tokens.add(token("revoked", { kind: "enrol" }));
    await tokens.revoke("revoked", NOW);
    await tokens.add(token("expired", { kind: "enrol" }));
    expect(await tokens.use("api", "x", NOW)).toBe(false);
    expect(await tokens.use("revoked", "x", NOW)).toBe(false);
    expect(await tokens.use("expired", "x", NOW + 1000)).toBe(false);
    expect(await tokens.use("expired", "x", NOW + 999)).toBe(true);
  });

  it("notes when tokens were last used", async () => {
    const { tokens } = use();
    await tokens.add(token("a"));
    await tokens.touch(
      new Map([
        ["a", NOW + 7],
        ["gone", NOW],
      ]),
    );
    expect((await tokens.read("a"))?.token.last_used_at).toBe(time(NOW + 7));
  });

  it("keeps the audit log in order, newest first, in pages and by filter", async () => {
    const { tokens } = use();
    await tokens.note([entry("one"), entry("two", NOW, "agent:b")]);
    await tokens.note([entry("three")]);
    const { tokens: later } = await reopen();
    const { items } = await later.audit({});
    expect(items.map(({ action }) => action)).toEqual(["three", "two", "one"]);
    expect(items[2]).toMatchObject({
      actor: "operator",
      at: time(NOW),
      details: { name: "x", nested: [1, null] },
    });
    const first = await later.audit({ subject: "token:a", limit: 1 });
    expect(first.items.map(({ action }) => action)).toEqual(["three"]);
    const next = await later.audit({ subject: "token:a", limit: 1, cursor: first.next_cursor ?? "" });
    expect(next.items.map(({ action }) => action)).toEqual(["one"]);
    expect((await later.audit({ actor: "nobody" })).items).toEqual([]);
    const wrong = later.audit({ cursor: first.next_cursor ?? "" });
    await expect(wrong).rejects.toMatchObject({ code: "INVALID_CURSOR" });
  });

  it("forgets tokens that were over before the audit log reaches back, and no others", async () => {
    const { tokens } = use();
    const long = NOW - AUDIT_LIMITS.ageMs;
    await tokens.add(token("expired", { expires_at: time(long - 1) }));
    await tokens.add(token("revoked", { expires_at: null, revoked_at: time(long - 1) }));
    await tokens.add(token("expired-later", { expires_at: time(long) }));
    await tokens.add(token("revoked-later", { expires_at: null, revoked_at: time(long) }));
    await tokens.add(token("ever", { expires_at: null }));
    await tokens.note([entry("new")]);
    const { items } = await tokens.list({});
    expect(items.map(({ id }) => id)).toEqual(["ever", "revoked-later", "expired-later"]);
    expect(await tokens.isClosed()).toBe(true);
  });

  it("forgets what is older than the audit log reaches back", async () => {
    const { tokens } = use();
    await tokens.note([entry("old", NOW - AUDIT_LIMITS.ageMs - 1), entry("kept", NOW - AUDIT_LIMITS.ageMs)]);
    await tokens.note([entry("new")]);
    expect((await tokens.audit({})).items.map(({ action }) => action)).toEqual(["new", "kept"]);
  });

  it("keeps no more entries than the audit log may have", async () => {
    const { tokens } = use();
    const entries = Array.from({ length: AUDIT_LIMITS.entries }, () => entry("early"));
    await tokens.note(entries);
    await tokens.note([entry("late"), entry("last")]);
    let count = 0;
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof tokens.audit>> = await tokens.audit({
        limit: 1000,
        ...(cursor && { cursor }),
      });
      if (count === 0) expect(page.items[0]?.action).toBe("last");
      count += page.items.length;
      cursor = page.next_cursor;
    }
    expect(count).toBe(AUDIT_LIMITS.entries);
  });
}
