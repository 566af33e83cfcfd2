// Tests of ACTS on a good agent: they pass where they apply, and say why they do not.
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../core/json.ts";
import { folderOf, STEP, withSteps } from "../../../../test/support/a2a/acts-files.ts";
import { actsResults, FOLDER, outcomes } from "../../../../test/support/a2a/acts-trial.ts";
import { HANG_MS } from "../../../../test/support/eventually.ts";
import { createActsConformance } from "./acts.ts";
import { readActs } from "./read-acts.ts";

describe("Tests of ACTS on a good agent", { timeout: 2 * HANG_MS }, () => {
  it("pass over every binding, and those that do not apply say why", async () => {
    const found = await actsResults({ agent: { grpcPort: 0 } });
    expect(outcomes(found)).toEqual({
      "OPS-SEND-001": "pass",
      "OPS-LIST-001": "pass",
      "OPS-POLL-001": "pass",
      "OPS-CARD-001": "pass",
      "OPS-TURN-001": "pass",
      "OPS-ERR-001": "pass",
      "OPS-ENV-001": "pass",
      "WIRE-RPC-001": "pass",
      "WIRE-REST-001": "pass",
      "WIRE-SSE-001": "pass",
      "WIRE-CLIENT-001": expect.stringMatching(/^unevaluated: .*\(tck-client-parse\)$/),
      "STREAMS-ONE-001": "pass",
      "STREAMS-MANY-001": "pass",
      "PUSHED-CONFIG-001": "pass",
      "PUSHED-END-001": "pass",
      "PASSES-REDUCED-001": expect.stringMatching(
        /^unevaluated: .*the card has streaming: true, and the test needs false$/,
      ),
      "PASSES-AUTH-001": expect.stringMatching(/^unevaluated: .*the card requires no credentials$/),
      "PASSES-SKILL-001": expect.stringMatching(/^unevaluated: .*the card has no skill nobody$/),
    });
    const [send] = found;
    expect(send?.rule).toEqual({
      id: "acts.OPS-SEND-001",
      title: "A task is made, read and cannot be cancelled afterwards",
      owner: "document",
      level: "must",
      section: "3.1.1",
    });
    expect(Object.keys((send?.record?.["runs"] ?? {}) as JsonObject).toSorted()).toEqual([
      "grpc",
      "jsonrpc",
      "rest",
    ]);
    expect(found[2]?.rule.section).toBe("3.1.3");
  });

  it.each([
    ["reduced", "PASSES-REDUCED-001"],
    ["auth", "PASSES-AUTH-001"],
  ] as const)("in the profile %s are those of that pass alone", async (profile, id) => {
    const found = await actsResults({ profile }, { profile });
    expect(outcomes(found)).toEqual({ [id]: "pass" });
    expect(found[0]?.record).toMatchObject({ runs: { jsonrpc: { configuration: profile } } });
  });

  it("in the profile main leave the other passes out", async () => {
    const found = await actsResults(
      {},
      { profile: "main", only: ["acts.OPS-ERR-001", "acts.PASSES-AUTH-001"] },
    );
    expect(outcomes(found)).toEqual({ "OPS-ERR-001": "pass" });
  });

  it("that want a token or a variable that nobody gave are not tried", async () => {
    const asked = { environment: {}, only: ["acts.PASSES-AUTH-001", "acts.OPS-ENV-001"] };
    const found = outcomes(await actsResults({ profile: "auth" }, asked));
    expect(found["PASSES-AUTH-001"]).toMatch(/^unevaluated: .*\{\{insufficientAuthToken\}\} has no value$/);
    expect(found["OPS-ENV-001"]).toMatch(/has no value; give it with --env ACTS_BEHAVIOUR=…$/);
  });

  it("that are written for an open agent say nothing about one that asks for credentials", async () => {
    const found = outcomes(await actsResults({ profile: "auth" }, { only: ["acts.WIRE-SSE-001"] }));
    expect(found["WIRE-SSE-001"]).toMatch(/^unevaluated: .*the agent asks for credentials/);
  });

  it("fail where the agent is not said to know a behaviour", async () => {
    const folder = folderOf({
      "a.acts.yaml": withSteps(STEP, "requires_behaviors: [tck-a, tck-b]\n"),
      "sut-behaviors.yaml": 'acts_version: "1.0"\nbehaviors: [{prefix: tck-a}]\n',
    });
    expect(outcomes(await actsResults({}, { folder }))["T-1"]).toMatch(
      /^fail: .*the agent does not declare tck-b\n/,
    );
  });

  it("that use a variable of the environment never see what was not given to them", async () => {
    const steps = STEP.replace("{}", '{message: {role: ROLE_USER, parts: [{text: "{{env.PATH}}"}]}}');
    const found = await actsResults({}, { folder: folderOf({ "a.yaml": withSteps(steps) }) });
    expect(outcomes(found)["T-1"]).toMatch(/^unevaluated: .*\{\{env\.PATH\}\} has no value/);
  });
});

it("A test of ACTS says nothing about an agent that is not there", async () => {
  const conformance = createActsConformance(await readActs(FOLDER, "/"));
  const { signal } = new AbortController();
  const spec = { protocol: "a2a", transport: "http", url: "http://127.0.0.1:1" };
  for await (const { outcome, unreachable } of conformance.check(spec, { timeoutMs: HANG_MS, signal })) {
    expect({ outcome, unreachable }).toEqual({ outcome: "unevaluated", unreachable: true });
  }
});
