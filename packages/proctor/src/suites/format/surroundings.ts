// What a suite gives its runs in addition to their tasks: environment, secrets, tools, a workspace. Defaults first, then the test.
import { existsSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { EnvironmentOptions } from "../../core/environment.ts";
import { given } from "../../core/given.ts";
import { createRedactor, type Redactor } from "../../core/redact.ts";
import type { RunOptions, WorkspaceOptions } from "../../core/run-options.ts";
import type { LabSet } from "../../core/labs.ts";
import type { ToolSet } from "../../core/tools.ts";
import { quote } from "../../core/printable.ts";
import type { TestSolution } from "../suite.ts";
import { inside, reporter, type Spot } from "./context.ts";
import type { Defaults } from "./defaults.ts";
import { ASK_THE_SUITE } from "./read-turns.ts";
import type { TestFile } from "./schema.ts";

export function surroundingsOf(
  test: TestFile,
  { file: defaults }: Defaults,
  folder: string,
  { tools, labs }: { tools: ToolSet | undefined; labs: LabSet | undefined },
): { environment?: Record<string, string>; options?: RunOptions } {
  const environment = { ...declared(defaults), ...declared(test) };
  const { workspace_fixture: fixture, collect } = test.task ?? {};
  const workspace: WorkspaceOptions = {
    ...(fixture != null && { fixture: fixturePath(folder, fixture) }),
    ...(collect && { collect }),
  };
  const options: RunOptions = {
    ...((test.strict ?? defaults.strict) && { strict: true }),
    ...((test.canary ?? defaults.canary) && { canary: true }),
    ...(tools && { tools }),
    ...(labs && Object.keys(labs).length > 0 && { labs }),
    ...((test.turns || test.user) && { conversation: ASK_THE_SUITE }),
    ...terminalOf({ ...defaults.terminal, ...test.terminal }, folder),
    ...(Object.keys(workspace).length > 0 && { workspace }),
  };
  return {
    ...(Object.keys(environment).length > 0 && { environment }),
    ...(Object.keys(options).length > 0 && { options }),
  };
}

function terminalOf(
  written: NonNullable<TestFile["terminal"]>,
  folder: string,
): Pick<RunOptions, "environment" | "terminal"> {
  const { solution: _, ...keys } = written;
  const { max_steps, agent_response_seconds, command_seconds, shell, noop_limit, lenient, ...rest } = keys;
  const { confirm_completion, output_limit, build, root, files, ...place } = rest;
  const work = {
    max_steps,
    agent_response_seconds,
    command_seconds,
    shell,
    noop_limit,
    lenient,
    confirm_completion,
    output_limit,
  };
  const environment: EnvironmentOptions = {
    ...place,
    ...(build !== undefined && { build: resolve(folder, build) }),
    ...(root !== undefined && { root: resolve(folder, root) }),
    ...(files && { files: files.map(({ source, target }) => ({ source: resolve(folder, source), target })) }),
  };
  const terminal = given(work);
  return {
    ...(Object.keys(environment).length > 0 && { environment }),
    ...(Object.keys(terminal).length > 0 && { terminal }),
  };
}

/** The script of the solution in its usual place, and the command that runs it. */
export function solutionOf(
  { terminal }: Pick<TestFile, "terminal">,
  { file: defaults }: Defaults,
  folder: string,
): TestSolution | undefined {
  const script = terminal?.solution ?? defaults.terminal?.solution;
  if (script === undefined) return undefined;
  const target = `/solution/${basename(script)}`;
  return { files: [{ source: resolve(folder, script), target }], commands: [`bash ${target}`] };
}

/** Document 000, "Secrets": passed via `context.environment`, not in `task.description`. Other variables may appear there. */
export function createSecretCheck(): (test: TestFile, defaults: Defaults, spot: Spot) => void {
  const redactors = new Map<string, Redactor>();
  return (test, { file: defaults }, spot) => {
    for (const [name, value] of Object.entries({ ...defaults.secrets, ...test.secrets })) {
      const redactor = redactors.get(value) ?? createRedactor([{ name, value }]);
      redactors.set(value, redactor);
      const told = textsFor(test).find(({ text }) => redactor.text(text) !== text);
      if (!told) continue;
      const message = `the ${told.noun} holds the value of ${quote(name)}, which is a secret`;
      const hint = "agents find secrets in their environment; remove it from the text";
      return reporter(inside(spot, ...told.path))([], message, hint);
    }
  };
}

/** The texts that an agent is sure to get. */
function textsFor({
  task,
  turns = [],
}: TestFile): { noun: string; text: string; path: (string | number)[] }[] {
  const said = turns.flatMap(({ say }, index) =>
    say === undefined ? [] : [{ noun: "text", text: say, path: ["turns", index, "say"] }],
  );
  if (!task) return said;
  return [{ noun: "description", text: task.description, path: ["task", "description"] }, ...said];
}

export function createFixtureCheck(): (test: TestFile, spot: Spot) => void {
  const known = new Map<string, "directory" | "file" | "nothing">();
  return (test, spot) => {
    const fixture = test.task?.workspace_fixture;
    if (fixture == null) return;
    const path = fixturePath(spot.source.folder, fixture);
    const found = known.get(path) ?? kindOf(path);
    known.set(path, found);
    if (found === "directory") return;
    const hint = "the path is taken from the folder of this file, or from the current directory";
    const message =
      found === "file" ? `${quote(fixture)} is not a directory` : `there is no directory ${quote(fixture)}`;
    reporter(inside(spot, "task", "workspace_fixture"))([], message, hint);
  };
}

function kindOf(path: string): "directory" | "file" | "nothing" {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return "nothing";
  return found.isDirectory() ? "directory" : "file";
}

function fixturePath(folder: string, fixture: string): string {
  const beside = resolve(folder, fixture);
  return existsSync(beside) ? beside : resolve(fixture);
}

function declared({
  environment,
  secrets,
}: Pick<TestFile, "environment" | "secrets">): Record<string, string> {
  return { ...environment, ...secrets };
}
