// Judges one run of a task, outside of any suite.
import type { Hub } from "../core/ports/hub.ts";
import type { Run } from "../core/run.ts";
import type { CheckServices } from "../suites/check.ts";
import { subjectOf } from "../suites/run/subject.ts";
import { unevaluated, type Verdict } from "../suites/verdict.ts";
import { taskSuite } from "./task-suite.ts";
import type { TerminalTask } from "./terminal-task.ts";

export async function judgeRun(
  run: Run,
  task: TerminalTask,
  deps: { hub: Hub; services: CheckServices; signal: AbortSignal },
): Promise<Verdict> {
  const suite = taskSuite([task], {
    name: task.name,
    cwd: task.dir,
    attempts: 1,
    environment: {},
    terminal: {},
    timeoutFactor: 1,
  });
  const check = suite.tests[0]?.checks[0];
  const subject = subjectOf(run, task.dir, deps);
  return check ? check.evaluate(subject) : unevaluated("the task has no tests");
}
