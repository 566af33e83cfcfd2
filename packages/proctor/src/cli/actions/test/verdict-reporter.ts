// Tells the registry what `proctor test` found about each run that it made, so that agents are measured by tests as well. What cannot be reported
// changes no result: a token may not be allowed to, and a hub elsewhere may be older.
import { AGENT_NAME } from "../../../core/agent.ts";
import type { Registry } from "../../../core/ports/registry.ts";
import type { JudgedRun } from "../../../core/registration.ts";
import type { PlannedCase } from "../../../suites/plan.ts";
import type { Reporter } from "../../../suites/reporter.ts";
import type { AttemptResult } from "../../../suites/result.ts";

interface VerdictReporter extends Reporter {
  /** Resolves when everything so far was sent to the registry. */
  close(): Promise<void>;
}

/** Number of verdicts that are sent together. */
const BATCH = 200;

export function verdictReporter(registry: Pick<Registry, "judged">): VerdictReporter {
  let waiting: JudgedRun[] = [];
  let telling: Promise<unknown> = Promise.resolve();
  let isRefused = false;

  function tell(): void {
    const verdicts = waiting;
    waiting = [];
    if (verdicts.length === 0) return;
    telling = telling
      .then(() => (isRefused ? undefined : registry.judged(verdicts)))
      .catch(() => void (isRefused = true));
  }

  return {
    start: () => undefined,
    attemptEnded({ agent }, attempt) {
      const verdict = isName(agent.target) ? verdictOf(attempt) : undefined;
      if (verdict !== undefined) waiting.push(verdict);
      if (waiting.length >= BATCH) tell();
    },
    caseEnded: () => undefined,
    end: () => undefined,
    async close() {
      tell();
      await telling;
    },
  };
}

/** Whether the target is the name of a registered agent. An agent that is given by its address is not registered. */
function isName(target: PlannedCase["agent"]["target"]): boolean {
  return typeof target === "string" && AGENT_NAME.test(target);
}

/** Returns the verdict on a run that was made now; verdicts on earlier runs were sent when those were made. */
function verdictOf({ source, runId, outcome }: AttemptResult): JudgedRun | undefined {
  if (source !== "run" || runId === undefined || outcome === "unevaluated") return undefined;
  return { run_id: runId, passed: outcome === "pass" };
}
