// Every rule can fail, and only for the agent that breaks it.
import { describe, expect, test } from "vitest";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { ConformanceSubject, RuleResult } from "../../../conformance/conformance.ts";
import { serveSin } from "../../../../test/fixtures/agents/sinful/serve-sin.ts";
import { BELOW_HTTP, behindScheme, SCHEMES } from "../../../../test/fixtures/agents/sinful/behind-scheme.ts";
import { SINS } from "../../../../test/fixtures/agents/sinful/sins.ts";
import { asText, type Sin } from "../../../../test/fixtures/agents/sinful/sin.ts";
import { HANG_MS } from "../../../../test/support/eventually.ts";
import { isThorough } from "../../../../test/support/property-runs.ts";
import { a2aConformance } from "./conformance.ts";
import { RULES } from "./rules.ts";

async function resultsOf(
  { environment, spec, ...sin }: Sin,
  only?: readonly string[],
): Promise<RuleResult[]> {
  const agent = await serveSin(sin);
  try {
    const results: RuleResult[] = [];
    const { signal } = new AbortController();
    const options = {
      timeoutMs: HANG_MS,
      signal,
      ...(environment && { environment }),
      ...(only && { only }),
    };
    for await (const result of a2aConformance.check(
      { protocol: "a2a", transport: "http", url: agent.url, ...spec },
      options,
    )) {
      results.push(result);
    }
    return results;
  } finally {
    await agent.close();
  }
}

const failed = (results: readonly RuleResult[]): string[] =>
  results.filter(({ outcome }) => outcome === "fail").map(({ rule, reason }) => `${rule.id}: ${reason}`);

describe.concurrent("an A2A agent without fault", { timeout: 2 * HANG_MS }, () => {
  test.each(["main", "open", "reduced", "auth", "extension"] as const)(
    "breaks no rule in the profile %s",
    async (profile) => {
      const headers =
        profile === "open" ? {} : { spec: { headers: { authorization: "Bearer itk-valid-token" } } };
      const results = await resultsOf({ profile, speaks03: true, ...headers });
      const expected = profile === "open" ? ["a2a.card.extended_guarded"] : [];
      expect(results.filter(({ outcome }) => outcome === "fail").map(({ rule }) => rule.id)).toEqual(
        expected,
      );
    },
  );
});

describe.concurrent("an A2A agent that breaks no rule", { timeout: 2 * HANG_MS }, () => {
  const outcomes = async (id: string, sin: Sin): Promise<string[]> =>
    (await resultsOf(sin, [id])).map(({ outcome, reason = "" }) => `${outcome} ${reason.split("\n")[0]}`);
  const statusOf = (result: JsonObject): JsonObject => {
    const { task } = result;
    const { status } = isJsonObject(task) ? task : {};
    return isJsonObject(status) ? status : {};
  };
  let words = 0;

  test("may say the same thing in other words each time", async () => {
    const result: Sin["result"] = (said, { operation }) => {
      if (operation === "send") statusOf(said)["message"] = message(`Hello number ${++words}.`);
    };
    expect(await outcomes("a2a.same.answer", { result })).toEqual(["pass "]);
  });

  test("may name its artifacts otherwise in every task, and stream other words each time", async () => {
    const named: Sin = {
      frame(frame) {
        const { artifactUpdate } = frame;
        const { artifact } = isJsonObject(artifactUpdate) ? artifactUpdate : {};
        if (isJsonObject(artifact)) artifact["artifactId"] = `${taskIdOf(artifactUpdate)}-a`;
        return undefined;
      },
      result(result, { operation }) {
        const { artifacts } = result;
        if (operation !== "getTask" || !Array.isArray(artifacts)) return;
        for (const artifact of artifacts)
          if (isJsonObject(artifact)) artifact["artifactId"] = `${asText(result["id"])}-a`;
      },
    };
    expect(await outcomes("a2a.resume.complete", named)).toEqual(["pass "]);
    const varied: Sin = {
      ...named,
      result(result, asked) {
        named.result?.(result, asked);
        // One that knows no behaviours.
        if (asked.operation === "send") statusOf(result)["state"] = "TASK_STATE_COMPLETED";
        const [artifact] = Array.isArray(result["artifacts"]) ? result["artifacts"] : [];
        if (isJsonObject(artifact)) artifact["parts"] = [{ text: `words ${++words}` }];
      },
    };
    expect(await outcomes("a2a.resume.complete", varied)).toEqual(["pass "]);
  });

  test("may end otherwise each time, which leaves no occasion to compare", async () => {
    const result: Sin["result"] = (said, { operation }) => {
      if (operation === "send")
        statusOf(said)["state"] = ++words % 2 ? "TASK_STATE_FAILED" : "TASK_STATE_COMPLETED";
    };
    const random = await outcomes("a2a.same.answer", { result });
    expect(random).toEqual([expect.stringMatching(/^(pass|unevaluated .*differently each time)/)]);
  });

  test("may be too busy for many tasks at once", async () => {
    const busy: Sin = {
      request: ({ text }) =>
        text.includes("5 of 8 at once") ? { status: 429, headers: {}, text: "" } : undefined,
    };
    expect(await outcomes("a2a.tasks.concurrent", busy)).toEqual([
      expect.stringMatching(/^unevaluated .*too busy for 8/),
    ]);
  });
});

const taskIdOf = (update: Json | undefined): string => (isJsonObject(update) ? asText(update["taskId"]) : "");

const message = (text: string): JsonObject => ({ messageId: "m", role: "ROLE_AGENT", parts: [{ text }] });

test("an A2A agent that nobody reaches is said to be unreachable, whatever the rule", async () => {
  const { signal } = new AbortController();
  const agent = { protocol: "a2a", transport: "http", url: "http://127.0.0.1:1" };
  const subjects: ConformanceSubject[] = [];
  const results: RuleResult[] = [];
  for await (const result of a2aConformance.check(agent, {
    timeoutMs: HANG_MS,
    signal,
    describeSubject: (subject) => subjects.push(subject),
  })) {
    results.push(result);
  }
  expect(results).toHaveLength(RULES.length);
  expect(results.every(({ unreachable }) => unreachable === true)).toBe(true);
  expect(subjects).toEqual([{ versions: [], bindings: [] }]);
});

/** Agents over gRPC are another test's. */
const TRIED = RULES.map(({ id }) => id).filter((id) => !id.startsWith("a2a.grpc."));

/** The rules about the same thing, and those that the sin breaks as well: trying all of them for every sin takes minutes. */
function relatives(id: string, { also = [] }: Sin): string[] {
  const group = id.split(".").slice(0, 2).join(".");
  return RULES.map((rule) => rule.id).filter((each) => each.startsWith(`${group}.`) || also.includes(each));
}

describe.concurrent("an A2A agent that breaks one rule", { timeout: 2 * HANG_MS }, () => {
  test.each(TRIED)("is found by %s, and by no other", async (id) => {
    const made = SINS[id];
    if (made === undefined) throw new Error("nobody breaks this rule");
    const sin = typeof made === "function" ? made() : made;
    const results = await resultsOf(sin, isThorough ? undefined : relatives(id, sin));
    const broken = failed(results);
    expect(
      broken.map((line) => line.split(":")[0]),
      broken.join("\n"),
    ).toEqual([...(sin.also ?? []), id]);
    const result = results.find(({ outcome }) => outcome === "fail");
    expect(result?.reason).toMatch(/^.+\n.+$/);
    expect(result?.reproduce ?? "curl").toMatch(/^curl|^grpcurl/);
  });
});

test("the flows of OAuth that a card describes are walked to the agent's answer", async () => {
  const environment = { A2A_CLIENT_ID: "test", A2A_CLIENT_SECRET: "secret" };
  const walked = ["needed", "wrong", "challenge", "card", "oidc", "oauth", "device", "forged", "scopes"].map(
    (name) => `a2a.auth.${name}`,
  );
  const sin: Sin = {
    oauth: { algorithm: "ES256", device: { interval: 0, answers: ["pending", "approve"] } },
  };
  const only = RULES.map(({ id }) => id).filter((id) => id.startsWith("a2a.auth."));
  const results = await resultsOf({ ...sin, environment }, only);
  expect(failed(results)).toEqual([]);
  const outcomes = Object.fromEntries(results.map(({ rule, outcome }) => [rule.id, outcome]));
  expect(walked.map((id) => [id, outcomes[id]])).toEqual(walked.map((id) => [id, "pass"]));

  const without = await resultsOf(sin, walked);
  const { reason } = without.find(({ rule }) => rule.id === "a2a.auth.oauth") ?? {};
  expect(reason).toContain("no client was named: --env A2A_CLIENT_ID=…");
  const wrong = await resultsOf(
    { ...sin, environment: { ...environment, A2A_CLIENT_SECRET: "wrong-s3cret" } },
    walked,
  );
  expect(wrong.find(({ rule }) => rule.id === "a2a.auth.oauth")).toMatchObject({
    outcome: "unevaluated",
    reason: expect.stringContaining("its token server gave no token: 401 and invalid_client"),
  });
  expect(JSON.stringify([results, wrong])).not.toMatch(/wrong-s3cret|eyJ/);
});

test.each(Object.entries(SCHEMES))(
  "an A2A agent behind %s is walked: none, wrong, right",
  async (_name, scheme) => {
    const walked = ["needed", "wrong", "challenge", "card", "accepted"].map((name) => `a2a.auth.${name}`);
    const isPassed = (id: string): boolean => scheme.tls !== "client" || !BELOW_HTTP.includes(id);
    const results = await resultsOf(behindScheme(scheme), walked);
    expect(
      results
        .filter(({ rule }) => walked.includes(rule.id) && isPassed(rule.id))
        .map(({ rule, outcome, reason }) => [rule.id, outcome, reason]),
    ).toEqual(walked.filter(isPassed).map((id) => [id, "pass", undefined]));
    expect(failed(results)).toEqual([]);
  },
);
