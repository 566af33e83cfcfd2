// What tokens promise whoever manages them, in this process and over HTTP.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Tokens } from "./tokens.ts";

export interface OpenedTokens {
  tokens: Tokens;
  close(): Promise<void>;
}

export function tokensCases(name: string, open: () => Promise<OpenedTokens>): void {
  describe(`tokens ${name}`, () => {
    let opened: OpenedTokens;
    let tokens: Tokens;
    beforeEach(async () => {
      opened = await open();
      ({ tokens } = opened);
    });
    afterEach(() => opened.close());

    it("are created with a secret that is never shown again", async () => {
      const issued = await tokens.create({
        name: "ci",
        scopes: ["runs:read", "runs:read", "agents:*"],
        binding: { kind: "agent", name: "writer" },
        expires_in_seconds: 60,
        rate: { per_second: 10, burst: 20 },
      });
      expect(issued.secret).toContain(issued.token.id);
      expect(issued.token).toMatchObject({
        kind: "api",
        name: "ci",
        scopes: ["runs:read", "agents:*"],
        binding: { kind: "agent", name: "writer" },
        rate: { per_second: 10, burst: 20 },
        created_by: "operator",
        revoked_at: null,
      });
      const { created_at, expires_at } = issued.token;
      expect(Date.parse(expires_at ?? "") - Date.parse(created_at)).toBe(60_000);
      const shown = [await tokens.get(issued.token.id), await tokens.list({}), await tokens.audit({})];
      expect(shown[0]).toEqual(issued.token);
      expect(JSON.stringify(shown)).not.toContain(issued.secret);
    });

    it("say that the first of them closed the hub", async () => {
      expect(await tokens.create({ name: "a", scopes: ["admin"] })).toMatchObject({ closed_hub: true });
      expect(await tokens.create({ name: "b", scopes: ["admin"] })).not.toHaveProperty("closed_hub");
    });

    it("are listed newest first, in pages", async () => {
      const made: string[] = [];
      for (const name of ["a", "b", "c"])
        made.unshift((await tokens.create({ name, scopes: ["admin"] })).token.id);
      const first = await tokens.list({ limit: 2 });
      const second = await tokens.list({ limit: 2, cursor: first.next_cursor ?? "" });
      expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(made);
      expect(second.next_cursor).toBeNull();
    });

    it("get a new secret when they are rotated", async () => {
      const { token, secret } = await tokens.create({ name: "a", scopes: ["admin"] });
      const rotated = await tokens.rotate(token.id, 3600);
      expect(rotated.token.id).toBe(token.id);
      expect(rotated.secret).not.toBe(secret);
      expect(rotated.token.previous_until).not.toBeNull();
    });

    it("are revoked once, and cannot be rotated then", async () => {
      const { token } = await tokens.create({ name: "a", scopes: ["admin"] });
      const { revoked_at } = await tokens.revoke(token.id);
      expect(revoked_at).not.toBeNull();
      expect((await tokens.revoke(token.id)).revoked_at).toBe(revoked_at);
      await expect(tokens.rotate(token.id)).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
    });

    it("are refused when they make no sense", async () => {
      const base = { name: "a", scopes: ["runs:read" as const] };
      const wrong = [
        { ...base, scopes: [] },
        { ...base, scopes: ["runs:reed" as never] },
        { ...base, scopes: ["nothing:*" as const] },
        { ...base, name: "" },
        { ...base, expires_in_seconds: 0 },
        { ...base, expires_in_seconds: -5 },
        { ...base, rate: { per_second: 0, burst: 1 } },
        { ...base, scopes: ["admin" as const], binding: { kind: "agent" as const, name: "x" } },
        { ...base, binding: { kind: "agent" as const, name: "../x" } },
        { ...base, binding: { kind: "run" as const, name: "x" } },
      ];
      for (const each of wrong)
        await expect(tokens.create(each)).rejects.toMatchObject({ code: "INVALID_REQUEST" });
      expect((await tokens.list({})).items).toEqual([]);
    });

    it("that do not exist are TOKEN_NOT_FOUND", async () => {
      for (const ask of [tokens.get("nope"), tokens.rotate("nope"), tokens.revoke("nope")])
        await expect(ask).rejects.toMatchObject({ code: "TOKEN_NOT_FOUND" });
    });

    it("leave a trail: created, rotated, revoked, newest first, by actor and subject", async () => {
      const { token } = await tokens.create({ name: "a", scopes: ["admin"] });
      const other = await tokens.create({ name: "b", scopes: ["admin"] });
      await tokens.rotate(token.id);
      await tokens.revoke(token.id);
      const { items } = await tokens.audit({ subject: `token:${token.id}` });
      expect(items.map(({ action }) => action)).toEqual(["token.revoked", "token.rotated", "token.created"]);
      expect(items.map(({ actor }) => actor)).toEqual(["operator", "operator", "operator"]);
      const all = await tokens.audit({ limit: 1 });
      expect(all.next_cursor).not.toBeNull();
      expect((await tokens.audit({ actor: `token:${other.token.id}` })).items).toEqual([]);
    });
  });
}
