// What makes a case the same case on another day: its content, its agent with the files that it is made of, and its checks. A
// changed case has another key.
import { createHash } from "node:crypto";
import type { AgentSpec } from "../../core/agent.ts";
import { canonicalJson } from "../../core/canonical-json.ts";
import type { Json } from "../../core/json.ts";
import type { CaseKey, Plan, PlannedCase } from "../plan.ts";
import { checksOf, type SuiteCaseCheck, type SuiteCheck, type SuiteTest } from "../suite.ts";
import { createDigests, type Digests } from "./digests.ts";

/** `describe` returns the spec behind the name of a registered agent. */
export async function keyCases(plan: Plan, describe: (name: string) => Promise<Json>): Promise<Plan> {
  const digests = createDigests();
  const agents = new Map<unknown, Promise<string>>();
  const agentKey = (target: string | AgentSpec): Promise<string> => {
    const known = agents.get(target) ?? keyAgent(target, digests, describe);
    agents.set(target, known);
    return known;
  };
  const cases: PlannedCase[] = [];
  for (const planned of plan.cases) {
    cases.push({ ...planned, key: await keyOf(planned, await agentKey(planned.agent.target), digests) });
  }
  return { ...plan, cases };
}

async function keyOf(planned: PlannedCase, agent: string, digests: Digests): Promise<CaseKey> {
  const { test, constraints, options } = planned;
  const fixture = options.workspace?.fixture;
  const { build, files = [] } = options.environment ?? {};
  const given = await Promise.all(
    [...(build === undefined ? [] : [build]), ...files.map(({ source }) => source)].map((path) =>
      digests.any(path),
    ),
  );
  const talk = talkOf(test);
  const task = hash({
    task: test.task as unknown as Json,
    ...(talk !== undefined && { talk }),
    constraints: constraints as Json,
    environment: test.environment ?? {},
    options,
    fixture: fixture === undefined ? null : await digests.folder(fixture),
    ...(given.length > 0 && { given }),
  });
  const run = hash({ agent, task });
  const judgedBy = (list: readonly (SuiteCheck | SuiteCaseCheck)[]): Json =>
    list.map(({ type, config, critical, weight }): Json => ({ type, config, critical, weight }));
  const checks = judgedBy([...test.checks, ...test.caseChecks]);
  const turns = test.turns?.map((turn) => judgedBy(turn.checks));
  const judged = {
    checks,
    ...(turns && { turns }),
    files: await checkFiles(planned, digests),
    threshold: test.threshold ?? null,
    scoring: { ...test.scoring },
  };
  const { workspace, ...elsewhere } = options;
  const { fixture: _, ...kept } = workspace ?? {};
  const asked = {
    task: test.task as unknown as Json,
    ...(talk !== undefined && { talk }),
    constraints: constraints as Json,
    environment: Object.keys(test.environment ?? {}).sort(),
    options: { ...elsewhere, workspace: kept } as Json,
    fixture: fixture === undefined ? null : await digests.folder(fixture),
    gate: (test.gate ?? null) as Json,
  };
  return { task, run, whole: hash({ run, ...judged }), test: hash({ ...asked, ...judged }) };
}

/** What is said and answered, or who plays the user; not where that is written, which may move. */
function talkOf({ turns, user }: SuiteTest): Json | undefined {
  if (user) {
    const { file: _, line: __, col: ___, ...played } = user;
    return { user: played as Json };
  }
  return (
    turns && {
      turns: turns.map(({ say, answers }) => ({
        say,
        answers: answers.map((answer) => (answer.kind === "given" ? { given: answer.answer } : "declined")),
      })),
    }
  );
}

/** Files that checks read; a changed file changes the verdict. */
async function checkFiles({ test }: PlannedCase, digests: Digests): Promise<Json> {
  const files = checksOf(test).flatMap((check) => check.files ?? []);
  return Promise.all(files.map((file) => digests.any(file, test.folder)));
}

/** A local program is identified by its files, a remote agent by its address only. */
async function keyAgent(
  target: string | AgentSpec,
  digests: Digests,
  describe: (name: string) => Promise<Json>,
): Promise<string> {
  if (typeof target === "string") return hash(await describe(target));
  const files = await Promise.all(
    (target.command ?? []).map((word) => digests.file(word, target.cwd ?? process.cwd())),
  );
  return hash({ spec: target as unknown as Json, files });
}

function hash(value: Json): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}
