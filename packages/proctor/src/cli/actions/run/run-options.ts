// What `proctor run` asks for in addition to the task: tools, workspace, environment, strictness.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { ProctorError } from "../../../core/errors.ts";
import type { RunOptions, WorkspaceOptions } from "../../../core/run-options.ts";
import type { ToolSet } from "../../../core/tools.ts";
import type { CliIo } from "../../cli-io.ts";
import type { RunFlags } from "./flags.ts";
import { environmentOf } from "../environment-flags.ts";

export async function readOptions(flags: RunFlags, io: CliIo): Promise<RunOptions> {
  const tools = flags.tools === undefined ? undefined : await readTools(flags.tools, io);
  const workspace: WorkspaceOptions = {
    ...(flags.workspace !== undefined && { fixture: fixturePath(flags.workspace, io.cwd) }),
    ...(flags.collect && { collect: flags.collect.map(checkPattern) }),
    ...(flags.keepWorkspace && { keep: true }),
  };
  const environment = environmentOf(flags);
  return {
    ...(flags.strict && { strict: true }),
    ...(flags.canary && { canary: true }),
    ...(flags.priority !== undefined && { priority: flags.priority }),
    ...(flags.requires && { requires: flags.requires }),
    ...(flags.capability !== undefined && { capability: flags.capability }),
    ...(flags.record !== undefined && { record: true }),
    ...(tools && { tools }),
    ...(Object.keys(workspace).length > 0 && { workspace }),
    ...(Object.keys(environment).length > 0 && { environment }),
    ...(flags.commandSeconds !== undefined && { terminal: { command_seconds: flags.commandSeconds } }),
  };
}

async function readTools(name: string, io: CliIo): Promise<ToolSet> {
  const { loadTools } = await import("../../../suites/load-tools.ts");
  return loadTools(resolve(io.cwd, name), { variables: io.env, displayName: name });
}

function fixturePath(name: string, cwd: string): string {
  const path = resolve(cwd, name);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return path;
  const what = found === undefined ? ": there is no such directory" : " is not a directory";
  throw new ProctorError(
    "FILE_UNREADABLE",
    `--workspace ${name}${what}\nname the directory that the agent starts with a copy of; without the flag it starts with an empty one`,
  );
}

/** Refuses a pattern that leads out of the workspace: it would silently match nothing. */
function checkPattern(pattern: string): string {
  if (pattern !== "" && !pattern.startsWith("/") && !pattern.split("/").includes("..")) return pattern;
  throw new ProctorError(
    "USAGE",
    `--collect ${JSON.stringify(pattern)} names nothing in the workspace\npatterns are relative to it, for example: --collect '**/*.md'`,
  );
}
