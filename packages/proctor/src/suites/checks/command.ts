// Passes when a program, run in the workspace, ends and writes as expected.
import { z } from "zod";
import { createRedactor } from "../../core/redact.ts";
import type { Check } from "../check.ts";
import { fail, pass } from "../verdict.ts";
import { commandLine, seconds, wordsOf } from "../workspace/command-line.ts";
import { howItEnded, outputDetails, withoutColours, wrote } from "../workspace/command-output.ts";
import type { Hide } from "../workspace/command-output.ts";
import { findMismatch, outputMatcher } from "../workspace/output-matcher.ts";
import { commandName, runInWorkspace } from "../workspace/run-in-workspace.ts";
import { pathInside } from "../workspace/workspace-path.ts";

const exitCode = z.int().min(0).max(255);

const config = z.strictObject({
  command: commandLine,
  cwd: pathInside.default("."),
  env: z.record(z.string().regex(/^[A-Za-z_]\w*$/, "is no name of a variable"), z.string()).default({}),
  input: z.string().optional(),
  timeout_seconds: seconds.default(300),
  /** Null: any. */
  exit_code: z.union([exitCode, z.array(exitCode).min(1), z.null()]).default(0),
  stdout: outputMatcher.optional(),
  stderr: outputMatcher.optional(),
});

type Config = z.output<typeof config>;

export const command: Check<Config> = {
  type: "command",
  config,
  needsWorkspace: () => true,
  async evaluate(subject, config) {
    const { cwd, env, input, timeout_seconds: timeoutSeconds, exit_code: wanted } = config;
    const words = wordsOf(config.command);
    const hide = hiding(env);
    const { result, verdict } = await runInWorkspace(subject, {
      words,
      cwd,
      env,
      input,
      timeoutSeconds,
      hide,
    });
    if (verdict) return verdict;
    const name = commandName(words);
    const details = outputDetails(result, hide);
    const codes = wanted === null ? undefined : [wanted].flat();
    if (codes && (result.code === null || !codes.includes(result.code)))
      return fail(
        `${name} ${howItEnded(result)}, ${codes.join(" or ")} expected${wrote(result, hide)}`,
        details,
      );
    for (const stream of ["stdout", "stderr"] as const) {
      const matcher = config[stream];
      const mismatch = matcher && findMismatch(matcher, hide(withoutColours(result[stream])), stream);
      if (mismatch) return fail(`${name}: ${mismatch.message}`, { ...details, ...mismatch.details });
    }
    return pass(`${name} ${howItEnded(result)}`);
  },
};

const SECRET_NAME = /key|token|secret|passw|credential|auth/i;

/** A program may print what it was given. */
function hiding(env: Config["env"]): Hide {
  const secrets = Object.entries(env).filter(([name]) => SECRET_NAME.test(name));
  const redactor = createRedactor(secrets.map(([name, value]) => ({ name, value })));
  return (text) => redactor.text(text);
}
