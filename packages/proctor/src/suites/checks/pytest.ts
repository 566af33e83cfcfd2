// Passes when enough of the tests in the workspace pass that pytest finds there.
import { devNull } from "node:os";
import { z } from "zod";
import type { CommandResult } from "../../core/ports/commands.ts";
import type { Check, CheckSubject } from "../check.ts";
import { quote } from "../../core/printable.ts";
import { fail, pass, unevaluated } from "../verdict.ts";
import type { Verdict } from "../verdict.ts";
import { moreWords, seconds, wordsOf } from "../workspace/command-line.ts";
import { howItEnded, outputDetails, withoutColours, wrote } from "../workspace/command-output.ts";
import { containerKeys } from "../workspace/container-keys.ts";
import { runInWorkspace } from "../workspace/run-in-workspace.ts";
import { judgeTally } from "../workspace/tally.ts";
import type { Tally } from "../workspace/tally.ts";
import { joinInside, pathInside } from "../workspace/workspace-path.ts";

const config = z.strictObject({
  path: pathInside.default("tests/"),
  threshold: z.number().min(0).max(1).default(1),
  timeout: seconds.default(300),
  working_dir: pathInside.default("."),
  args: moreWords,
  ...containerKeys,
});

const INSTALL = "it needs Python with pytest: python3 -m pip install pytest";

export const pytest: Check<z.output<typeof config>> = {
  type: "pytest",
  config,
  needsWorkspace: () => true,
  async evaluate(subject, { path, threshold, timeout, working_dir: cwd, args }) {
    const words = ["python3", "-m", "pytest", "-q", "--color=no", "-p", "no:cacheprovider"];
    const { result, verdict } = await runInWorkspace(subject, {
      words: [...words, ...(await ownConfiguration(subject, cwd)), ...wordsOf(args), path],
      cwd,
      env: { PYTHONDONTWRITEBYTECODE: "1" },
      timeoutSeconds: timeout,
      install: INSTALL,
    });
    return verdict ?? judge(result, threshold);
  },
};

/** pytest looks for its settings in all folders above, too: those are not the agent's. */
async function ownConfiguration(subject: CheckSubject, cwd: string): Promise<string[]> {
  const workspace = await subject.workspace();
  for (const file of ["pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"])
    if ((await workspace.kind(joinInside(cwd, file))) !== "missing") return [];
  return ["-c", devNull, "--rootdir", "."];
}

/** Its exit codes: 0 all passed, 1 some failed, 2 interrupted, as by files it cannot import, 3 to 5 it could not run. */
function judge(result: CommandResult, threshold: number): Verdict {
  const { code, stdout, stderr } = result;
  const details = outputDetails(result);
  if (stdout.trim() === "" && /No module named '?pytest'?\s*$/.test(stderr))
    return unevaluated(INSTALL, details);
  if (code === 5) return unevaluated(`pytest found no tests${wrote(result)}`, details);
  if (code === null || code > 2) return unevaluated(`pytest ${howItEnded(result)}${wrote(result)}`, details);
  const tally = readSummary(stdout);
  if (tally) return judgeTally("pytest", tally, threshold, result, failuresIn(stdout));
  if (code === 0) return pass("pytest exited with 0");
  return { ...fail(`pytest ${howItEnded(result)}${wrote(result)}`, details), score: 0 };
}

/** `1 failed, 2 passed, 1 skipped in 0.12s`, with or without a frame. */
function readSummary(stdout: string): Tally | undefined {
  for (const line of withoutColours(stdout).split("\n").toReversed()) {
    const [, list] = /^=* ?(\d[\w, ]{1,200}) in [\d.]+s\b/.exec(line) ?? [];
    if (list === undefined) continue;
    const count = (word: string): number => Number(new RegExp(`(\\d+) ${word}\\b`).exec(list)?.[1] ?? 0);
    return { passed: count("passed"), failed: count("failed") + count("errors?") };
  }
  return undefined;
}

const SHOWN = 3;

/** The short summary names them: `FAILED tests/test_a.py::test_b - why`. */
function failuresIn(stdout: string): string[] {
  const lines = stdout.split("\n").filter((line) => /^(?:FAILED|ERROR) \S/.test(line));
  const names = lines
    .slice(0, SHOWN)
    .map((line) => quote(line.replace(/^\w+ /, "").replace(/ - .*$/, ""), 120));
  return lines.length > SHOWN ? [...names, `${lines.length - SHOWN} more`] : names;
}
