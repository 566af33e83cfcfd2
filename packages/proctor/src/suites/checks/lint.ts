// Passes when a linter finds no more in the workspace than is allowed.
import { z } from "zod";
import type { Check, CheckSubject } from "../check.ts";
import { fail, pass, unevaluated } from "../verdict.ts";
import { moreWords, seconds, wordsOf } from "../workspace/command-line.ts";
import { howItEnded, outputDetails, wrote } from "../workspace/command-output.ts";
import { containerKeys } from "../workspace/container-keys.ts";
import { readEslint, readRuff } from "../workspace/lint-report.ts";
import { runInWorkspace } from "../workspace/run-in-workspace.ts";
import { andMore, count } from "../texts/words.ts";
import { joinInside, pathInside } from "../workspace/workspace-path.ts";

const config = z.strictObject({
  linter: z.enum(["ruff", "eslint"]),
  path: pathInside.default("."),
  max_violations: z.int().min(0).default(0),
  max_errors: z.int().min(0).default(0),
  timeout: seconds.default(300),
  working_dir: pathInside.default("."),
  args: moreWords,
  ...containerKeys,
});

type Config = z.output<typeof config>;

const LINTERS = {
  ruff: { read: readRuff, install: "it needs ruff: python3 -m pip install ruff" },
  eslint: { read: readEslint, install: "it needs ESLint: npm install --global eslint" },
};

export const lint: Check<Config> = {
  type: "lint",
  config,
  needsWorkspace: () => true,
  async evaluate(subject, config) {
    const {
      linter,
      max_violations: maxViolations,
      max_errors: maxErrors,
      timeout,
      working_dir: cwd,
    } = config;
    const { read, install } = LINTERS[linter];
    const words = await wordsFor(subject, config);
    const { result, verdict } = await runInWorkspace(subject, {
      words,
      cwd,
      timeoutSeconds: timeout,
      install,
    });
    if (verdict) return verdict;
    // Both say 1 when they found something, and more than that when they could not look.
    const report = result.code === 0 || result.code === 1 ? read(result.stdout) : undefined;
    if (!report)
      return unevaluated(
        `${linter} ${howItEnded(result)} without a report${wrote(result)}`,
        outputDetails(result),
      );
    const { errors, warnings, first } = report;
    const found = errors + warnings;
    const where = first === undefined ? "" : `; ${first}${andMore(found)}`;
    const errorsOf = (number: number): string => `(${count(number, "error")})`;
    const allowed = `at most ${maxViolations} ${errorsOf(maxErrors)} expected`;
    const message = `${linter}: ${count(found, "violation")} ${errorsOf(errors)}, ${allowed}`;
    return found <= maxViolations && errors <= maxErrors
      ? pass(message)
      : fail(`${message}${where}`, outputDetails(result));
  },
};

async function wordsFor(
  subject: CheckSubject,
  { linter, path, working_dir: cwd, args }: Config,
): Promise<string[]> {
  const more = wordsOf(args);
  if (linter === "ruff") return ["ruff", "check", "--no-cache", "--output-format", "json", ...more, path];
  // That of the project, if it has one.
  const own = "node_modules/.bin/eslint";
  const kind = await (await subject.workspace()).kind(joinInside(cwd, own));
  return [kind === "file" ? `./${own}` : "eslint", "--format", "json", ...more, path];
}
