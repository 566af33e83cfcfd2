// Passes when a command succeeds and enough of what it counted passed, as suites of the ATP platform have it.
import { z } from "zod";
import type { Check } from "../check.ts";
import { fail, pass } from "../verdict.ts";
import { commandLine, seconds, wordsOf } from "../workspace/command-line.ts";
import { howItEnded, outputDetails, withoutColours, wrote } from "../workspace/command-output.ts";
import { parsePattern } from "../../core/parse-pattern.ts";
import { checkPattern } from "../patterns/pattern.ts";
import { commandName, runInWorkspace } from "../workspace/run-in-workspace.ts";
import { containerKeys } from "../workspace/container-keys.ts";
import { withinCpuTime } from "../../runtime/cpu-limit.ts";
import { pathInside } from "../workspace/workspace-path.ts";

const config = z
  .strictObject({
    command: commandLine,
    /** An expression with the groups `passed`, `failed` and `total`. */
    pattern: z.string().min(1).optional(),
    success_pattern: z.string().min(1).optional(),
    threshold: z.number().min(0).max(1).default(1),
    expect_zero: z.boolean().default(true),
    timeout: seconds.default(300),
    working_dir: pathInside.default("."),
    ...containerKeys,
  })
  .superRefine((config, context) => {
    for (const key of ["pattern", "success_pattern"] as const)
      if (config[key] !== undefined) checkPattern(asJavaScript(config[key]), context, key);
  });

type Config = z.output<typeof config>;

export const customCommand: Check<Config> = commandCheck("custom_command");
export const codeExec: Check<Config> = commandCheck("code_exec");

function commandCheck(type: string): Check<Config> {
  return {
    type,
    config,
    needsWorkspace: () => true,
    async evaluate(subject, config) {
      const { threshold, expect_zero: expectZero, timeout, working_dir: cwd } = config;
      const words = wordsOf(config.command);
      const { result, verdict } = await runInWorkspace(subject, { words, cwd, timeoutSeconds: timeout });
      if (verdict) return verdict;
      const ended = `${commandName(words)} ${howItEnded(result)}`;
      if (expectZero && result.code !== 0)
        return { ...fail(`${ended}${wrote(result)}`, outputDetails(result)), score: 0 };
      if (config.pattern === undefined && config.success_pattern === undefined) return pass(ended);

      const { share, told } = read(config, withoutColours(`${result.stdout}\n${result.stderr}`));
      const message = `${ended}; ${told}, at least ${threshold} expected`;
      if (share >= threshold) return { ...pass(message), score: share };
      return { ...fail(`${message}${wrote(result)}`, outputDetails(result)), score: share };
    },
  };
}

function read(
  { pattern, success_pattern: success }: Config,
  output: string,
): { share: number; told: string } {
  const groups = pattern === undefined ? undefined : match(pattern, output)?.groups;
  const number = (name: string): number => Number(groups?.[name] ?? 0) || 0;
  const passed = number("passed");
  const total = number("total") || passed + number("failed");
  if (total > 0 && passed > 0)
    return { share: Math.min(1, passed / total), told: `${passed} of ${total} passed` };
  if (success !== undefined && match(success, output)) return { share: 1, told: `/${success}/ found` };
  if (total > 0) return { share: 0, told: `0 of ${total} passed` };
  return { share: 0, told: `/${success ?? pattern}/ not found` };
}

function match(pattern: string, text: string): RegExpExecArray | null {
  return withinCpuTime("the pattern", () => parsePattern(asJavaScript(pattern)).exec(text));
}

/** These suites have Python's expressions, in which a named group is `(?P<name>…)`. */
function asJavaScript(pattern: string): string {
  return pattern.replaceAll("(?P<", "(?<");
}
