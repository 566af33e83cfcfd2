import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Binding, Caller } from "../core/caller.ts";
import type { ScopeGrant } from "../core/scope.ts";
import { openTestAccess, type TestAccess } from "../../test/support/open-test-access.ts";

let access: TestAccess;

beforeEach(async () => {
  access = await openTestAccess();
});
afterEach(() => access.close());

const team: Binding = { kind: "folder", name: "team" };

function give(caller: Caller, scopes: ScopeGrant[], binding?: Binding): Promise<unknown> {
  return access.tokens.create({ name: "given", scopes, ...(binding && { binding }) }, caller);
}

describe("a caller without the scope admin", () => {
  const lead: Caller = { name: "token:lead", scopes: ["runs:*", "agents:read"], binding: team };

  it("gives tokens within its own scopes and binding", async () => {
    await give(lead, ["runs:read"], team);
    await give(lead, ["runs:*"], { kind: "folder", name: "team.payments" });
    await give(lead, ["agents:read"], { kind: "agent", name: "team.clerk" });
    expect((await access.tokens.list({})).items.map(({ created_by }) => created_by)).toEqual([
      "token:lead",
      "token:lead",
      "token:lead",
    ]);
  });

  it.each([
    ["a scope that it has not", ["programs"], team],
    ["all scopes of a subject of which it has one", ["agents:*"], team],
    ["admin", ["admin"], undefined],
    ["no binding", ["runs:read"], undefined],
    ["another folder", ["runs:read"], { kind: "folder", name: "teams" }],
    ["the folder above", ["runs:read"], { kind: "folder", name: "te" }],
    ["an agent of another folder", ["runs:read"], { kind: "agent", name: "other.clerk" }],
    ["a user", ["runs:read"], { kind: "user", name: "team.ada" }],
  ] satisfies [string, ScopeGrant[], Binding | undefined][])(
    "cannot give a token with %s",
    async (_, scopes, binding) => {
      await expect(give(lead, scopes, binding)).rejects.toMatchObject({ code: "FORBIDDEN" });
      expect((await access.tokens.list({})).items).toEqual([]);
    },
  );

  it("cannot rotate or revoke a token beyond its own, and so never gets its secret", async () => {
    const { token } = await access.tokens.create({ name: "root", scopes: ["admin"] });
    await expect(access.tokens.rotate(token.id, 0, lead)).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(access.tokens.revoke(token.id, lead)).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect((await access.tokens.get(token.id)).revoked_at).toBeNull();
  });

  it("that is bound to an agent gives nothing for the folder of that name", async () => {
    const agent: Caller = {
      name: "token:a",
      scopes: ["runs:read"],
      binding: { kind: "agent", name: "team" },
    };
    await give(agent, ["runs:read"], { kind: "agent", name: "team" });
    await expect(give(agent, ["runs:read"], team)).rejects.toMatchObject({ code: "FORBIDDEN" });
  });
});
