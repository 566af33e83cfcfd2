// Passes when the tests of a JavaScript project in the workspace pass, or enough of them.
import { z } from "zod";
import type { Check } from "../check.ts";
import { fail, pass, unevaluated } from "../verdict.ts";
import { commandLine, seconds, wordsOf } from "../workspace/command-line.ts";
import { howItEnded, outputDetails, withoutColours, wrote } from "../workspace/command-output.ts";
import { containerKeys } from "../workspace/container-keys.ts";
import { commandName, runInWorkspace } from "../workspace/run-in-workspace.ts";
import { judgeTally, tallyOf } from "../workspace/tally.ts";
import { joinInside, pathInside } from "../workspace/workspace-path.ts";

const config = z.strictObject({
  command: commandLine.default("test"),
  threshold: z.number().min(0).max(1).default(1),
  timeout: seconds.default(300),
  working_dir: pathInside.default("."),
  ...containerKeys,
});

/** Programs that may stand first; without one of them it is a command of npm. */
const RUNNERS = new Set(["npm", "npx", "pnpm", "yarn", "bun", "node"]);
const ENVIRONMENT = {
  // Runners that watch files on a terminal do not, and npm says nothing about itself.
  CI: "1",
  npm_config_update_notifier: "false",
  npm_config_fund: "false",
  npm_config_audit: "false",
};

export const npm: Check<z.output<typeof config>> = {
  type: "npm",
  config,
  needsWorkspace: () => true,
  async evaluate(subject, { command, threshold, timeout, working_dir: cwd }) {
    const workspace = await subject.workspace();
    // npm would go on in the folders above, and test whatever project it finds there.
    if ((await workspace.kind(joinInside(cwd, "package.json"))) === "missing")
      return fail(`the workspace has no "${joinInside(cwd, "package.json")}"`);
    const asked = wordsOf(command);
    const words = RUNNERS.has(asked[0] ?? "") ? asked : ["npm", ...asked];
    const install = "it needs Node.js with npm: https://nodejs.org";
    const { result, verdict } = await runInWorkspace(subject, {
      words,
      cwd,
      env: ENVIRONMENT,
      timeoutSeconds: timeout,
      install,
    });
    if (verdict) return verdict;
    const name = commandName(words);
    const tally = tallyOf(withoutColours(`${result.stdout}\n${result.stderr}`));
    if (tally && tally.passed + tally.failed > 0) return judgeTally(name, tally, threshold, result);
    const ended = `${name} ${howItEnded(result)}`;
    if (result.code !== 0) return { ...fail(`${ended}${wrote(result)}`, outputDetails(result)), score: 0 };
    if (threshold === 1) return pass(ended);
    return unevaluated(
      `${ended} and did not say how many tests passed${wrote(result)}`,
      outputDetails(result),
    );
  },
};
