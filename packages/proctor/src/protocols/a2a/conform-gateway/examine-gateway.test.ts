// Gateways that are examined: one that keeps every rule, and one for each rule that breaks it.
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { startGateway } from "../../../../test/fixtures/gateways/gateway.mjs";
import { HANG_MS } from "../../../../test/support/eventually.ts";
import { openGateway } from "../../../../test/support/a2a/gateway-stage.ts";
import { createGatewayConformance } from "./examine-gateway.ts";
import { GATEWAY_RULES } from "./rules.ts";
import { openUpstream } from "./upstream.ts";
import { isThorough } from "../../../../test/support/property-runs.ts";
import { freePort } from "../../../../test/support/http/free-port.ts";
import type { EnvironmentProcess } from "../../../core/ports/environments.ts";
import { startHere } from "../../../runtime/processes/start-here.ts";
import type { RuleResult } from "../../../conformance/conformance.ts";

const FIXTURE = new URL("../../../../test/fixtures/gateways/gateway.mjs", import.meta.url);
const NAME = "gateway.";
const TOKEN = "the-token-of-the-gateway";
const all = GATEWAY_RULES.map(({ id }) => id);
/** What is measured cannot be broken. */
const ids = all.filter((id) => !id.startsWith("gateway.measured."));

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** Examines what `place` puts in front of an upstream. */
async function examine(
  place: (upstreamUrl: string) => Promise<string>,
  { only, timeoutMs = HANG_MS }: { only: readonly string[]; timeoutMs?: number },
): Promise<RuleResult[]> {
  const upstream = await openUpstream({ host: "127.0.0.1", port: 0 });
  const conformance = createGatewayConformance({ openUpstream: () => Promise.resolve(upstream) });
  const spec = {
    protocol: "a2a",
    transport: "gateway",
    url: await place(upstream.url),
    headers: { authorization: `Bearer ${TOKEN}` },
  };
  const results: RuleResult[] = [];
  const options = { timeoutMs, signal: new AbortController().signal, only };
  for await (const result of conformance.check(spec, options)) results.push(result);
  return results;
}

const fixture =
  (sin?: string) =>
  async (upstream: string): Promise<string> => {
    const { url, close } = await startGateway({ upstream, sin, token: TOKEN });
    closing.push(close);
    return url;
  };

const brokenIn = (results: readonly RuleResult[]) =>
  results.filter(({ outcome }) => outcome === "fail").map(({ rule }) => rule.id);

/** Rules that are broken by what never comes: the time limit finds them. */
const HANGING: ReadonlySet<string> = new Set(["stream.live", "stream.end", "stream.released"]);
const LIMIT_MS = 3000;
/** Takes as long as all others together. */
const HEAVY = "gateway.concurrent";

describe("a gateway that is examined", { timeout: HANG_MS }, () => {
  it("passes when it keeps every rule", async () => {
    const results = await examine(fixture(), { only: all });
    const others = results.filter(({ outcome }) => outcome !== "pass");
    expect(others.map(({ rule, reason, got }) => [rule.id, reason, got])).toEqual([]);
    expect(results.map(({ rule }) => rule.id)).toEqual(all);
  });

  it.each(ids)("that breaks %s is found by that rule, and by no other", async (id) => {
    const sin = id.slice(NAME.length);
    const timeoutMs = HANGING.has(sin) ? LIMIT_MS : HANG_MS;
    const found = await examine(fixture(sin), { only: [id], timeoutMs });
    expect(brokenIn(found)).toEqual([id]);
    expect(JSON.stringify(found)).not.toContain(TOKEN);
    if (!isThorough) return;
    const others = ids.filter((other) => other !== HEAVY && other !== id);
    expect(brokenIn(await examine(fixture(sin), { only: others, timeoutMs }))).toEqual([]);
  });

  const asked = [
    {},
    { binding: "HTTP+JSON" },
    { version: "0.3" },
    { version: "0.3", binding: "HTTP+JSON" },
  ] as const;

  it.each(isThorough ? asked : asked.slice(0, 1))(
    "is Proctor's own, which passes over both bindings and in both versions, its agent asked with %j",
    async (agent) => {
      const place = async (upstream: string): Promise<string> =>
        (await openGateway(upstream, { agent })).serve();
      const results = await examine(place, { only: all });
      const others = results.filter(({ outcome }) => outcome !== "pass");
      expect(others.map(({ rule, outcome, reason }) => [rule.id, outcome, reason])).toEqual([
        ...("version" in agent
          ? [["gateway.task.listed", "unevaluated", expect.stringContaining("has no list") as string]]
          : []),
        ["gateway.stream.released", "unevaluated", expect.stringContaining("may come back") as string],
      ]);
      // Its card asks for no token here, and claims no push notifications.
      expect(all.filter((id) => !results.some(({ rule }) => rule.id === id))).toEqual([
        "gateway.header.required",
        "gateway.push",
      ]);
    },
  );
});

describe("a gateway that Proctor starts", { timeout: HANG_MS }, () => {
  it("is ended when a rule cannot be tried because of a bug of ours", async () => {
    const port = await freePort();
    const upstream = await openUpstream({ host: "127.0.0.1", port: 0 });
    let program: EnvironmentProcess | undefined;
    const conformance = createGatewayConformance({
      openUpstream: () =>
        Promise.resolve({
          ...upstream,
          scene: () => {
            throw new Error("a bug");
          },
        }),
      start: (address) =>
        (program = startHere({
          command: [process.execPath, fileURLToPath(FIXTURE)],
          env: { UPSTREAM_URL: address, PORT: String(port) },
        })),
    });
    const spec = { protocol: "a2a", transport: "gateway", url: `http://127.0.0.1:${port}` };
    const results = conformance.check(spec, { timeoutMs: HANG_MS, signal: new AbortController().signal });
    const trying = async (): Promise<void> => {
      for await (const result of results) expect(result).toBeUndefined();
    };
    await expect(trying()).rejects.toThrow("a bug");
    expect((await program?.exited)?.code).toBeGreaterThan(0);
    await expect(fetch(upstream.url)).rejects.toThrow();
  });
});
