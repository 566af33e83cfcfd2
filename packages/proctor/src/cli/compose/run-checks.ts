// The checks of suites, for reviews in a goal: they judge what a run said and made. A plan may come from an agent, so its checks run no
// programs and read no files of the hub: those that would are refused with the plan, and get nothing to run should one slip through.
import type { Json } from "../../core/json.ts";
import type { PlanProblem } from "../../core/plan.ts";
import type { Hub } from "../../core/ports/hub.ts";
import type { CheckProblems, RunChecks } from "../../orchestrator/review/contract.ts";
import { checkValue, type Finding } from "../../runtime/yaml/findings.ts";
import type { CheckServices } from "../../suites/check.ts";
import { checkEntry } from "../../suites/format/check-entry.ts";
import { subjectOf } from "../../suites/run/subject.ts";
import type { CaseCheckEntry, CheckEntry } from "../../suites/suite.ts";
import type { Config } from "../config/load-config.ts";
import { checkServices } from "./check-services.ts";

export function createRunChecks(config: Config, hub: Hub): RunChecks {
  const { verify: _, ...services } = checkServices(config, hub);
  return judgeBy(hub, { ...services, runCommand: refuseProgram });
}

/** Throws for checks that `checkProblems` refuses, and where one that counts could not be evaluated and none failed. */
export function judgeBy(hub: Hub, services: CheckServices): RunChecks {
  return async (run, checks, signal) => {
    const entries = checks.map(readCheck);
    const subject = subjectOf(run, "", { hub, services, signal });
    const unevaluated: string[] = [];
    for (const entry of entries.filter(({ weight }) => weight > 0)) {
      const { outcome, message } = await entry.evaluate(subject);
      signal.throwIfAborted();
      if (outcome === "fail") return `${entry.type}: ${message}`;
      if (outcome === "unevaluated") unevaluated.push(`${entry.type}: ${message}`);
    }
    const [first] = unevaluated;
    if (first !== undefined) throw new Error(first);
    return undefined;
  };
}

/** Returns what is wrong with the checks of a plan. */
export const checkProblems: CheckProblems = (checks) =>
  checks.flatMap((check, index) => problemsOf(check, index));

function problemsOf(check: Json, index: number): PlanProblem[] {
  const checked = checkValue(checkEntry, check, "this check");
  if (!checked.ok) return checked.findings.map((finding) => problemAt(index, finding));
  const refusal = refusalOf(checked.value);
  return refusal === undefined ? [] : [{ path: `checks[${index}]`, message: refusal }];
}

function refusalOf(entry: CheckEntry | CaseCheckEntry): string | undefined {
  const { type } = entry;
  if (!("evaluate" in entry)) return `"${type}" judges all runs of a test together, and a review has one`;
  const { needsWorkspace, files = [] } = entry;
  if (needsWorkspace || type.endsWith("verifier"))
    return `"${type}" works in the run's directory, and a review judges what a run said and made`;
  if (files.length > 0) return `"${type}" reads a file, and a plan stands in none: write what it holds here`;
  return undefined;
}

function problemAt(index: number, { path, message, hint }: Finding): PlanProblem {
  const place = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return { path: `checks[${index}]${place}`, message: hint === undefined ? message : `${message}: ${hint}` };
}

function readCheck(check: Json, index: number): CheckEntry {
  const [problem] = problemsOf(check, index);
  if (problem) throw new Error(`${problem.path}: ${problem.message}`);
  // It has no problems, so that it is the check of one run.
  return checkEntry.parse(check) as CheckEntry;
}

function refuseProgram(): never {
  throw new Error("the checks of a review run no programs");
}
