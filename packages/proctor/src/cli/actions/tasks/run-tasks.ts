// `proctor tasks run`: tasks as a suite, trials as its runs, judged by the tasks' own tests. `regrade` re-grades earlier trials.
import { join, relative, resolve } from "node:path";
import { ProctorError } from "../../../core/errors.ts";
import { createPlan, type Plan } from "../../../suites/plan.ts";
import { suiteOutcome } from "../../../suites/result.ts";
import { taskSuite } from "../../../tasks/task-suite.ts";
import type { TerminalTask } from "../../../tasks/terminal-task.ts";
import { createTrialReporter } from "../../../tasks/trial-reporter.ts";
import type { RunTasksFlags } from "./flags.ts";
import type { TestFlags } from "../test/flags.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { version } from "../../version.ts";
import { builtinAgent } from "./builtin-agent.ts";
import { environmentOf } from "../environment-flags.ts";
import { parseSecrets } from "../key-values.ts";
import { loadTasks } from "./load-tasks.ts";
import { openReporters } from "../test/open-reporters.ts";
import { warnOfOthers } from "./warn-of-others.ts";
import { perform, readyPlan } from "../test/test-suites.ts";
import { openEarlier } from "../test/test-recall.ts";

const PARALLEL = 4;

export async function runTasks(
  paths: readonly string[],
  flags: RunTasksFlags,
  context: CommandContext,
  { regrade = false }: { regrade?: boolean } = {},
): Promise<number> {
  const { io } = context;
  const agents = (flags.agent ?? []).map(builtinAgent);
  if (agents.length === 0) {
    const example = 'proctor tasks run tasks/ --agent "term+stdio:python agent.py"';
    throw new ProctorError("USAGE", `--agent <address> is missing\nfor example: ${example}`);
  }
  const { tasks, unsupported, skipped } = await loadTasks(paths, flags, io.cwd);
  // Tasks that cannot be run are in the reports; directories that were not searched are only for the user.
  warnOfOthers({ unsupported: [], skipped }, io);
  const secrets = parseSecrets("--env", flags.env ?? [], io.env);
  const plan = {
    ...planTasks(tasks, agents, { flags, cwd: io.cwd, name: paths.join(" "), secrets }),
    skipped: unsupported.map(({ name, found, problem }) => ({
      id: name,
      file: found.shown,
      reason: problem.message,
    })),
  };
  const asked = testFlags(flags, regrade);
  const earlier = await openEarlier(asked, context);
  const folder = resolve(io.cwd, flags.output ?? join("jobs", stamp(new Date())));
  const opened = await openReporters(flags.json ? ["json"] : (flags.reporter ?? []), io);
  try {
    const summary = await withHub(context, flags, regrade ? "read" : "write", async (session) => {
      const trials = createTrialReporter({ folder, version: version(), hub: () => session.hub });
      const services = await session.composition.checkServices(session.config, session.hub);
      const { verify } = services;
      const ready = await readyPlan(plan, session, { flags: asked, cwd: io.cwd });
      try {
        return await perform(ready, {
          flags: asked,
          context,
          session,
          earlier,
          opened,
          services: { ...services, ...(verify && { verify: trials.watching(verify) }) },
          reporters: [trials.reporter],
        });
      } finally {
        await trials.settled();
      }
    });
    opened.close();
    opened.announce();
    if (flags.json !== true) createScreen(io, io.stderr).print(`trials: ${relative(io.cwd, folder) || "."}`);
    return summary.interrupted ? 130 : suiteOutcome(summary);
  } finally {
    opened.close();
    await earlier?.close();
  }
}

interface PlanTasksOptions {
  flags: RunTasksFlags;
  cwd: string;
  name: string;
  /** Environment variables for the agent's program. */
  secrets?: Record<string, string>;
}

export function planTasks(
  tasks: readonly TerminalTask[],
  agents: readonly string[],
  { flags, cwd, name, secrets }: PlanTasksOptions,
): Plan {
  const suite = taskSuite(tasks, {
    name,
    cwd,
    attempts: flags.attempts ?? 1,
    environment: {
      ...environmentOf(flags),
      ...(flags.snapshots && { snapshots: flags.snapshots }),
    },
    terminal: {
      ...(flags.maxSteps !== undefined && { max_steps: flags.maxSteps }),
      ...(flags.commandSeconds !== undefined && { command_seconds: flags.commandSeconds }),
    },
    ...(secrets && { secrets }),
    timeoutFactor: flags.timeoutFactor ?? 1,
    ...(flags.verify && { verify: flags.verify }),
  });
  return createPlan([suite], { agents });
}

/** Translates the flags into those of `proctor test`. */
function testFlags(flags: RunTasksFlags, regrade: boolean): TestFlags {
  const { hub, database, config, resume, record, failFast, maxCost, retryErrors } = flags;
  return {
    ...(hub !== undefined && { hub }),
    ...(database !== undefined && { database }),
    ...(config !== undefined && { config }),
    ...(resume && { resume }),
    ...(regrade && { rescore: true }),
    ...(record !== undefined && { record }),
    ...(failFast && { failFast }),
    ...(maxCost !== undefined && { maxCost }),
    ...(retryErrors !== undefined && { retryErrors }),
    concurrency: flags.parallel ?? PARALLEL,
  };
}

/** Returns a time such as `2026-11-16__07-30-05`, which sorts by time and is a valid name in any file system. */
function stamp(now: Date): string {
  return now.toISOString().slice(0, 19).replace("T", "__").replaceAll(":", "-");
}
