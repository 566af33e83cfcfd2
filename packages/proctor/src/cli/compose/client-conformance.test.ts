// Clients that are examined: one that keeps every rule, and one for each rule that breaks it.
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { HANG_MS } from "../../../test/support/eventually.ts";
import { isThorough } from "../../../test/support/property-runs.ts";
import type { RuleResult } from "../../conformance/conformance.ts";
import { clientConformance } from "./client-conformance.ts";

const CLIENTS = fileURLToPath(new URL("../../../test/fixtures/clients/", import.meta.url));
const conformance = clientConformance({ cwd: CLIENTS, env: process.env });
const ids = conformance.rules.map(({ id }) => id);
const NAME = "a2a.client.";

async function examine(command: readonly string[], only?: readonly string[]): Promise<RuleResult[]> {
  const results: RuleResult[] = [];
  const spec = { protocol: "a2a", transport: "client", command: [process.execPath, ...command] };
  const options = { timeoutMs: HANG_MS, signal: new AbortController().signal, ...(only && { only }) };
  for await (const result of conformance.check(spec, options)) results.push(result);
  return results;
}

const failures = (results: readonly RuleResult[]) =>
  results.filter(({ outcome }) => outcome !== "pass").map(({ rule, reason }) => [rule.id, reason]);

describe("a client that is examined", { timeout: HANG_MS }, () => {
  it("passes when it keeps every rule", async () => {
    const results = await examine(["client.mjs", "{url}", "{message}", "{token}"]);
    expect(failures(results)).toEqual([]);
    expect(results.map(({ rule }) => rule.id)).toEqual(ids);
  });

  it.each(ids)("that breaks %s is found by that rule, and by no other", async (id) => {
    const sin = id.slice(NAME.length);
    const others = isThorough ? ids : [id];
    const results = await examine(["client.mjs", "{url}", "{message}", "{token}", sin], others);
    expect(failures(results).map(([broken]) => broken)).toEqual([id]);
    const found = results.find(({ outcome }) => outcome === "fail");
    expect(found?.reproduce).toContain(`--only ${id}`);
    expect(JSON.stringify(found?.evidence)).toContain("exit_code");
  });

  it("says nothing about a client that does not start, or asks for nothing", async () => {
    const [missing] = await examine(["no-such-client.mjs"], ["a2a.client.card.path"]);
    expect(missing).toMatchObject({ outcome: "unevaluated", unreachable: true });
    expect(missing?.reason).toMatch(
      /ended with 1: Error: Cannot find module .*, and asked the agent for nothing/,
    );
  });

  it("is the official SDK's, with what that leaves to its users", async () => {
    const differs: Record<string, RuleResult["outcome"]> = {
      // It takes the newest version that it knows for one that it does not.
      "version.unknown": "fail",
      // What frames mean is its users' matter: so is what to make of a state, of pieces, of an end, and of an interrupt.
      "answer.failed": "fail",
      "artifact.append": "fail",
      "stream.end": "fail",
      cancel: "fail",
      // It repeats nothing, goes on with nothing, and has no token unless it is given a fetch that brings one.
      "stream.cut": "fail",
      "retry.after": "unevaluated",
      "retry.same": "unevaluated",
      "auth.sent": "fail",
    };
    const only = isThorough ? ids : Object.keys(differs).map((name) => NAME + name);
    const results = await examine(["sdk-client.mjs", "{url}", "{message}"], only);
    const others = results.filter(({ outcome }) => outcome !== "pass");
    expect(
      Object.fromEntries(others.map(({ rule, outcome }) => [rule.id.slice(NAME.length), outcome])),
    ).toEqual(differs);
  });
});
