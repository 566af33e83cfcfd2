// The check that judges terminal runs, with a verifier that answers as it is told.
import { describe, expect, it } from "vitest";
import type { EventDraft } from "../../core/event.ts";
import { MISSING_WORDS } from "../../core/missing-packages.ts";
import type { Verification, VerifyRequest } from "../../core/ports/verify.ts";
import { check, file } from "../../../test/support/suites/check-subject.ts";
import { mainReward } from "./verifier.ts";

const done: Verification = {
  rewards: { reward: 1 },
  timedOut: false,
  exitCode: 0,
  output: "2 passed",
  files: {},
  notes: [],
  setupMs: 1,
  durationMs: 2,
};

async function judged(
  verification: Partial<Verification>,
  config: object = {},
  run: object = {},
): Promise<{ verdict: Awaited<ReturnType<typeof check>>; asked: VerifyRequest[] }> {
  const asked: VerifyRequest[] = [];
  const verdict = await check("verifier", config, {
    artifacts: [file("1", "terminal/snapshots/step-1.tar"), file("2", "terminal/snapshots/step-2.tar")],
    bytes: { "1": "first", "2": "last" },
    folder: "/suites",
    run: { options: { environment: { build: "/there" } }, ...run },
    services: {
      verify: async (request) => {
        asked.push(request);
        return { ...done, ...verification };
      },
    },
  });
  return { verdict, asked };
}

describe("the check verifier", () => {
  it("gets the last state of the files, the run's environment, and the tests", async () => {
    const { asked, verdict } = await judged({}, { tests: "tests", env: { A: "b" }, timeout_seconds: 5 });
    const [request] = asked;
    expect(request).toMatchObject({
      runId: "r",
      environment: { build: "/there" },
      files: [{ source: "/suites/tests", target: "/tests" }],
      command: ["bash", "/tests/test.sh"],
      env: { A: "b" },
      timeoutMs: 5000,
      reward: "files",
    });
    expect(request?.snapshot).toBe("2");
    expect(verdict).toMatchObject({ outcome: "pass", message: "reward 1", score: 1 });
  });

  it("has an image of its own and only what is handed over, when it is separate", async () => {
    const { asked } = await judged({}, { separate: { build: "own", artifacts: ["/tmp/a"] } });
    expect(asked[0]).toMatchObject({
      environment: { build: "/suites/own" },
      only: ["/logs/artifacts", "/tmp/a"],
    });
    const { asked: same } = await judged({}, { separate: {} });
    expect(same[0]).toMatchObject({ environment: { build: "/there" }, only: ["/logs/artifacts"] });
  });

  it("that is separate has limits of its own where it names them", async () => {
    const { asked } = await judged({}, { separate: { limits: { memory_mb: 512 } } });
    expect(asked[0]?.environment.limits).toEqual({ memory_mb: 512 });
  });

  it.each<[Partial<Verification>, object, string, string]>([
    [{ rewards: { reward: 0 } }, {}, "fail", "reward 0, 1 needed"],
    [{ rewards: { reward: 0.6 } }, { at_least: 0.5 }, "pass", "reward 0.6"],
    [{ rewards: { a: 1, b: 0 } }, {}, "fail", "reward 0.5, 1 needed"],
    [{ rewards: null, reason: "no reward.txt" }, {}, "unevaluated", "no reward.txt"],
    [{ rewards: null, timedOut: true, reason: "too long" }, {}, "unevaluated", "too long"],
  ])("of %j with %j is %s", async (verification, config, outcome, message) => {
    expect((await judged(verification, config)).verdict).toMatchObject({ outcome, message });
  });

  it("keeps what became of the agent apart from the reward", async () => {
    const { verdict } = await judged(
      {},
      {},
      { status: "timeout", failure: { code: "TIMEOUT", message: "late" } },
    );
    expect(verdict).toMatchObject({
      outcome: "pass",
      details: { agent_status: "timeout", agent_failure: "TIMEOUT", rewards: { reward: 1 } },
    });
  });

  it("reads variables of this machine only when it judges, and says which is not set", async () => {
    process.env["PROCTOR_TEST_VERIFIER"] = "here";
    const env = { A: "${PROCTOR_TEST_VERIFIER}", B: "${PROCTOR_TEST_NOWHERE:-else}" };
    expect((await judged({}, { env })).asked[0]?.env).toEqual({ A: "here", B: "else" });
    delete process.env["PROCTOR_TEST_VERIFIER"];
    const { verdict } = await judged({}, { env });
    expect(verdict).toMatchObject({ outcome: "unevaluated" });
    expect(verdict.message).toContain("PROCTOR_TEST_VERIFIER");
  });

  it("asks even where no snapshot was kept: the environment itself may still be there", async () => {
    const asked: VerifyRequest[] = [];
    const verify = async (request: VerifyRequest): Promise<Verification> => {
      asked.push(request);
      return done;
    };
    expect(await check("verifier", {}, { services: { verify } })).toMatchObject({ outcome: "pass" });
    expect(asked[0]).not.toHaveProperty("snapshot");
  });

  it("says in its verdict which files of the system were put back", async () => {
    const restored = ["/etc/ld.so.preload", "/usr/bin/bash", "/usr/bin/cat", "/usr/bin/ls"];
    const { verdict } = await judged({ rewards: { reward: 0 }, restored });
    expect(verdict.message).toBe(
      "reward 0, 1 needed; the agent changed the system, restored for the tests: /etc/ld.so.preload, /usr/bin/bash, /usr/bin/cat and 1 more",
    );
    expect(verdict.details).toMatchObject({ restored });
  });

  it("takes the system as the agent left it when told to", async () => {
    expect((await judged({})).asked[0]?.system).toBe("restored");
    expect((await judged({}, { verify: "as-left" })).asked[0]?.system).toBe("as-left");
  });

  it("is unevaluated when the solution of a task could not install what it needs", async () => {
    const output = `Reading\nproctor: primer3 ${MISSING_WORDS} (apt)\n`;
    const events: EventDraft[] = [{ type: "tool_call", payload: { tool: "shell", output } }];
    const judgedOf = async (agent: string, reward: number) =>
      check(
        "verifier",
        {},
        {
          run: { agent },
          events,
          services: { verify: async () => ({ ...done, rewards: { reward } }) },
        },
      );
    const verdict = await judgedOf("term+builtin:oracle", 0);
    expect(verdict).toMatchObject({ outcome: "unevaluated" });
    expect(verdict.message).toContain("the solution needs primer3 (apt)");
    expect(await judgedOf("term+builtin:oracle", 1)).toMatchObject({ outcome: "pass" });
    expect(await judgedOf("term+stdio:agent.py", 0)).toMatchObject({ outcome: "fail" });
  });

  it("is unevaluated without environments", async () => {
    expect(await check("verifier", {}, {})).toMatchObject({ outcome: "unevaluated" });
  });
});

it("the reward that decides is the one called so, the only one, or the mean", () => {
  expect(mainReward({ reward: 1, other: 0 })).toBe(1);
  expect(mainReward({ other: 0.5 })).toBe(0.5);
  expect(mainReward({ a: 1, b: 0, c: 0.5 })).toBe(0.5);
});
