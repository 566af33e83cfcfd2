import { describe, expect, it } from "vitest";
import type { ConformanceOptions, RuleResult } from "./conformance.ts";
import { fail, pass, type Finding } from "./finding.ts";
import { tryRules, type AdvisedRule } from "./try-rules.ts";

const agent = { protocol: "x", transport: "y", headers: { authorization: "s3cr3t-token" } };
const ruleNamed = (id: string): AdvisedRule => ({ id, title: id, level: "must", advice: `mend ${id}` });
const rules = ["a", "b", "c", "d"].map(ruleNamed);

interface Tried {
  results: RuleResult[];
  /** The most rules that were tried at the same time, by rule. */
  beside: Map<string, number>;
}

async function collect(
  finding: (id: string) => Finding<string>,
  {
    signal = new AbortController().signal,
    ...more
  }: Partial<ConformanceOptions> & {
    atOnce?: number;
    isAlone?: (rule: AdvisedRule) => boolean;
  } = {},
): Promise<Tried> {
  const running = new Set<string>();
  const beside = new Map<string, number>();
  const results: RuleResult[] = [];
  const trials = tryRules<AdvisedRule, string>({
    agent,
    options: { timeoutMs: 1000, signal },
    rules,
    describe: (evidence, hide) => ({ said: hide(evidence) }),
    async tryRule({ id }) {
      running.add(id);
      for (const other of running) beside.set(other, Math.max(beside.get(other) ?? 0, running.size));
      // Later rules are done earlier.
      for (let turn = id.charCodeAt(0); turn < 110; turn++) await Promise.resolve();
      running.delete(id);
      return finding(id);
    },
    ...more,
  });
  for await (const result of trials) results.push(result);
  return { results, beside };
}

describe("rules of conformance", () => {
  it("are tried one after another, and reported with their advice and evidence", async () => {
    const { results, beside } = await collect((id) =>
      id === "b" ? fail("it said s3cr3t-token\nloudly", "hello s3cr3t-token") : pass("fine"),
    );
    expect([...beside.values()]).toEqual([1, 1, 1, 1]);
    expect(results.map(({ rule, outcome }) => `${rule.id} ${outcome}`)).toEqual([
      "a pass",
      "b fail",
      "c pass",
      "d pass",
    ]);
    expect(results[0]).not.toHaveProperty("evidence");
    expect(results[1]).toMatchObject({
      reason: "it said [redacted:authorization] ⏎ loudly\nmend b",
      evidence: { said: "hello [redacted:authorization]" },
    });
  });

  it("are reported with what shows that they are broken, without secrets, and with only what was seen when they are kept", async () => {
    const shown = {
      expected: "a s3cr3t-token",
      got: "b",
      reproduce: "curl -H s3cr3t-token",
      unreachable: true,
    } as const;
    const { results } = await collect((id) => ({ ...(id === "b" ? fail("seen") : pass()), ...shown }));
    expect(results[1]).toMatchObject({
      expected: "a [redacted:authorization]",
      got: "b",
      reproduce: "curl -H [redacted:authorization]",
      unreachable: true,
    });
    const { got, ...others } = shown;
    expect(results[0]).toMatchObject({ got });
    for (const name of Object.keys(others)) expect(results[0]).not.toHaveProperty(name);
  });

  it("are reported in the order of the list when several are tried at once, and no more than asked for", async () => {
    const { results, beside } = await collect(() => pass(), { atOnce: 2 });
    expect(results.map(({ rule }) => rule.id)).toEqual(["a", "b", "c", "d"]);
    expect(Math.max(...beside.values())).toBe(2);
  });

  it("are tried alone where their finding depends on what else happens", async () => {
    const { beside } = await collect(() => pass(), { atOnce: 4, isAlone: ({ id }) => id === "c" });
    expect(beside.get("a")).toBe(2);
    expect(beside.get("c")).toBe(1);
    expect(beside.get("d")).toBe(1);
  });

  it("are not reported once the signal has aborted", async () => {
    const stop = new AbortController();
    const finding = (id: string): Finding<string> => {
      if (id === "b") stop.abort();
      return pass();
    };
    const { results } = await collect(finding, { signal: stop.signal });
    expect(results.map(({ rule }) => rule.id)).toEqual(["a"]);
  });
});
