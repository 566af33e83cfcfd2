// Passes when the tests of a terminal task, run on the files that the agent left, give the reward.
import { resolve } from "node:path";
import { z } from "zod";
import type { Artifact } from "../../core/artifact.ts";
import type { EnvironmentOptions } from "../../core/environment.ts";
import type { JsonObject } from "../../core/json.ts";
import { SYSTEM_TRUST } from "../../core/environment.ts";
import type { Verification, VerifyRequest } from "../../core/ports/verify.ts";
import { findMissing, tellMissing, type MissingPackage } from "../../core/missing-packages.ts";
import { snapshotStep } from "../../core/snapshot-name.ts";
import type { Check, CheckSubject } from "../check.ts";
import { limitsSchema } from "../../runtime/schemas/environment.ts";
import { ORACLE } from "../plan.ts";
import { fail, pass, unevaluated, type Verdict } from "../verdict.ts";
import { commandLine, seconds, wordsOf } from "../workspace/command-line.ts";

const absolute = z.string().regex(/^\//, "must be absolute: it is a path inside the environment");
const file = z.strictObject({ source: z.string().min(1), target: absolute });
const variable = z.string().regex(/^[A-Za-z_]\w*$/, "is no name of a variable");

const config = z.strictObject({
  /** A folder of tests, copied to /tests. */
  tests: z.string().min(1).optional(),
  files: z.array(file).default([]),
  command: commandLine.default("bash /tests/test.sh"),
  env: z.record(variable, z.string()).default({}),
  /** Runs the tests in an image of their own, with only these files of what the run left. */
  separate: z
    .strictObject({
      build: z.string().min(1).optional(),
      artifacts: z.array(absolute).default([]),
      /** The run's own where one is absent. */
      limits: limitsSchema.optional(),
    })
    .optional(),
  user: z.string().min(1).optional(),
  workdir: absolute.optional(),
  timeout_seconds: seconds.default(600),
  reward: z.enum(["files", "pytest", "exit-code"]).default("files"),
  /** The least reward that passes. */
  at_least: z.number().default(1),
  /** Whether changed programs and start files of the system are restored before the tests. */
  verify: z.enum(SYSTEM_TRUST).default("restored"),
});

type Config = z.output<typeof config>;

/** The number of characters of the tests' output in a verdict. */
const SHOWN_CHARS = 4000;

export const verifier: Check<Config> = {
  type: "verifier",
  config,
  judgesAnyEnd: true,
  files: ({ tests, files }) => [
    ...(tests === undefined ? [] : [tests]),
    ...files.map(({ source }) => source),
  ],
  async evaluate(subject, config) {
    const { verify } = subject.services;
    if (!verify) return unevaluated("nothing can be judged in an environment here");
    const last = lastSnapshot(subject);
    const { run, folder, signal } = subject;
    const done = await verify(
      {
        runId: run.id,
        ...placeOf(run.options.environment ?? {}, config, folder),
        ...(last && { snapshot: last.id }),
        system: config.verify,
        files: filesOf(config, folder),
        command: wordsOf(config.command),
        env: resolveVariables(config.env),
        ...(config.user !== undefined && { user: config.user }),
        ...(config.workdir !== undefined && { workdir: config.workdir }),
        timeoutMs: config.timeout_seconds * 1000,
        reward: config.reward,
      },
      signal,
    );
    const verdict = verdictOf(done, config.at_least, subject);
    const missing = verdict.outcome === "fail" ? await missingOfOracle(subject) : [];
    return missing.length === 0
      ? verdict
      : unevaluated(tellMissing("the solution needs", missing), verdict.details);
  },
};

/** The folder in which agents hand over files, in every task. */
const HANDED_OVER = "/logs/artifacts";

function placeOf(
  environment: EnvironmentOptions,
  { separate }: Config,
  folder: string,
): Pick<VerifyRequest, "environment" | "only"> {
  if (!separate) return { environment };
  const { build, image: _, workdir: __, env: ___, ...rest } = environment;
  const own = separate.build === undefined ? build : resolve(folder, separate.build);
  const limits = { ...environment.limits, ...separate.limits };
  return {
    environment: {
      ...(own === undefined ? environment : { ...rest, build: own }),
      ...(Object.keys(limits).length > 0 && { limits }),
    },
    only: [HANDED_OVER, ...separate.artifacts],
  };
}

function filesOf({ tests, files }: Config, folder: string): { source: string; target: string }[] {
  const all = tests === undefined ? files : [{ source: tests, target: "/tests" }, ...files];
  return all.map(({ source, target }) => ({ source: resolve(folder, source), target }));
}

function lastSnapshot({ run }: CheckSubject): Artifact | undefined {
  return run.artifacts.findLast(
    (artifact) => artifact.type === "file" && snapshotStep(artifact.path) !== undefined,
  );
}

/** The packages that the oracle could not install: its failure says nothing about the task then. Other agents fail. */
async function missingOfOracle(subject: CheckSubject): Promise<MissingPackage[]> {
  if (subject.run.agent !== ORACLE) return [];
  const found: MissingPackage[] = [];
  for await (const { payload } of subject.events()) found.push(...findMissing(JSON.stringify(payload)));
  return [...new Map(found.map((one) => [one.name, one])).values()];
}

const TEMPLATE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/** Replaces variables at the last moment, so that their values are written nowhere. Throws when one is not set. */
function resolveVariables(env: Readonly<Record<string, string>>): Record<string, string> {
  const resolved = (value: string): string =>
    value.replaceAll(TEMPLATE, (_, name: string, otherwise?: string) => {
      const found = process.env[name] ?? otherwise;
      if (found === undefined) throw new Error(`the verifier needs ${name}, which is not set`);
      return found;
    });
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, resolved(value)]));
}

function verdictOf(done: Verification, atLeast: number, { run }: CheckSubject): Verdict {
  const details: JsonObject = {
    agent_status: run.status,
    ...(run.failure && { agent_failure: run.failure.code }),
    ...(done.rewards && { rewards: done.rewards }),
    exit_code: done.exitCode,
    setup_ms: Math.round(done.setupMs),
    verifier_ms: Math.round(done.durationMs),
    ...(done.timedOut && { limit: "verifier" }),
    ...(done.notes.length > 0 && { notes: [...done.notes] }),
    ...(done.restored && { restored: [...done.restored] }),
    output: done.output.slice(-SHOWN_CHARS),
  };
  if (done.rewards === null) return unevaluated(done.reason ?? "the tests gave no reward", details);
  const reward = mainReward(done.rewards);
  const score = Math.min(1, Math.max(0, reward));
  const message = reward >= atLeast ? `reward ${reward}` : `reward ${reward}, ${atLeast} needed`;
  const told = `${message}${restoredOf(done)}`;
  return { ...(reward >= atLeast ? pass(told, details) : fail(told, details)), score };
}

const NAMED_PATHS = 3;

/** Says in the verdict that the agent's system was changed before the tests. */
function restoredOf({ restored = [] }: Verification): string {
  if (restored.length === 0) return "";
  const more = restored.length > NAMED_PATHS ? ` and ${restored.length - NAMED_PATHS} more` : "";
  return `; the agent changed the system, restored for the tests: ${restored.slice(0, NAMED_PATHS).join(", ")}${more}`;
}

/** The reward that decides: `reward`, the only one, or the mean of all. */
export function mainReward(rewards: Readonly<Record<string, number>>): number {
  const named = rewards["reward"];
  if (named !== undefined) return named;
  const all = Object.values(rewards);
  return all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length);
}
