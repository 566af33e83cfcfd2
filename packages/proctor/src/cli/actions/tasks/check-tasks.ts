// `proctor tasks check`: is a task sound? Its own solution must pass every time, doing nothing must never, and nothing may give it away.
import type { JsonObject } from "../../../core/json.ts";
import type { Reporter } from "../../../suites/reporter.ts";
import type { AttemptResult } from "../../../suites/result.ts";
import { findLeaks, type Leak } from "../../../tasks/find-leaks.ts";
import type { TerminalTask } from "../../../tasks/terminal-task.ts";
import type { CheckTasksFlags } from "./flags.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createLiveLine } from "../../terminal/live-line.ts";
import { createScreen, type Screen } from "../../terminal/screen.ts";
import { ORACLE } from "../../../suites/plan.ts";
import { builtinAgent } from "./builtin-agent.ts";
import { loadTasks } from "./load-tasks.ts";
import { warnOfOthers } from "./warn-of-others.ts";
import { planTasks } from "./run-tasks.ts";
import { perform, readyPlan } from "../test/test-suites.ts";

const RUNS = 3;

interface Findings {
  task: TerminalTask;
  oracle: AttemptResult[];
  nop: AttemptResult[];
  leaks: Leak[];
}

export async function checkTasks(
  paths: readonly string[],
  flags: CheckTasksFlags,
  context: CommandContext,
): Promise<number> {
  const { io } = context;
  const { tasks, ...others } = await loadTasks(paths, flags, io.cwd);
  warnOfOthers(others, io);
  const found = new Map<string, Findings>();
  for (const task of tasks) found.set(task.name, { task, oracle: [], nop: [], leaks: await findLeaks(task) });
  const attempts = flags.runs ?? RUNS;
  const agents = ["oracle", "nop"].map(builtinAgent);
  const plan = planTasks(tasks, agents, {
    flags: { ...flags, attempts },
    cwd: io.cwd,
    name: paths.join(" "),
  });
  const screen = createScreen(io);
  let done = 0;
  const live = createLiveLine(io.stderr, () => `${done} of ${plan.cases.length * attempts} trials`);
  const collector: Reporter = {
    start() {},
    attemptEnded({ test, agent }, attempt) {
      done += 1;
      found.get(test.id)?.[agent.label === ORACLE ? "oracle" : "nop"].push(attempt);
    },
    caseEnded() {},
    end() {},
  };
  // What it finds is about the tasks, not about an agent.
  const asked = { concurrency: flags.parallel ?? 4, noRecord: true };
  try {
    await withHub(context, flags, "write", async (session) =>
      perform(await readyPlan(plan, session, { flags: asked, cwd: io.cwd }), {
        flags: asked,
        context,
        session,
        earlier: undefined,
        opened: { reporters: [], close() {}, announce() {} },
        reporters: [collector],
      }),
    );
  } finally {
    live.stop();
  }
  if (io.signal.aborted) return 130;
  const results = [...found.values()].map((one) => judge(one, attempts));
  if (flags.json === true) screen.printJson({ items: results });
  else for (const result of results) print(result, screen);
  if (results.some(({ verdict }) => verdict === "unsound")) return 1;
  return results.some(({ verdict }) => verdict === "undecided") ? 3 : 0;
}

interface Soundness extends JsonObject {
  task: string;
  verdict: "sound" | "unsound" | "undecided";
  oracle: { passed: number; runs: number };
  nop: { passed: number; runs: number };
  /** Flakiness from 0, when the solution always has the same outcome, to 1, when it passes half of the time. */
  flakiness: number;
  problems: string[];
}

function judge({ task, oracle, nop, leaks }: Findings, runs: number): Soundness {
  const passed = { oracle: count(oracle, "pass"), nop: count(nop, "pass") };
  const unjudged = [...oracle, ...nop].filter(({ outcome }) => outcome === "unevaluated");
  const problems = [
    ...(task.solution ? [] : ["there is no solution"]),
    ...(count(oracle, "fail") > 0 ? [`the solution failed ${count(oracle, "fail")} of ${runs} times`] : []),
    ...(passed.nop > 0 ? [`doing nothing passed ${passed.nop} of ${runs} times`] : []),
    ...leaks.map(({ path, message }) => `${path}: ${message}`),
  ];
  const doubts =
    unjudged.length === 0 ? [] : [`${unjudged.length} trials could not be judged: ${reasonOf(unjudged[0])}`];
  const share = oracle.length === 0 ? 0 : passed.oracle / oracle.length;
  return {
    task: task.name,
    verdict: problems.length > 0 ? "unsound" : doubts.length > 0 ? "undecided" : "sound",
    oracle: { passed: passed.oracle, runs: oracle.length },
    nop: { passed: passed.nop, runs: nop.length },
    flakiness: 4 * share * (1 - share),
    problems: [...problems, ...doubts],
  };
}

function count(attempts: readonly AttemptResult[], wanted: AttemptResult["outcome"]): number {
  return attempts.filter(({ outcome }) => outcome === wanted).length;
}

function reasonOf(attempt: AttemptResult | undefined): string {
  return (
    attempt?.reason ??
    attempt?.checks.find(({ verdict }) => verdict.outcome === "unevaluated")?.verdict.message ??
    ""
  );
}

function print({ task, verdict, oracle, nop, problems }: Soundness, screen: Screen): void {
  const { paint } = screen;
  const mark = { sound: paint.green("✓"), unsound: paint.red("✗"), undecided: paint.yellow("?") }[verdict];
  screen.print(
    `${mark} ${paint.bold(task)}  solution ${oracle.passed}/${oracle.runs}, nothing ${nop.passed}/${nop.runs}`,
  );
  for (const problem of problems) screen.print(`   ${problem}`);
}
