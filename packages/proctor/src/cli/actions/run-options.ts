// What `proctor run` asks of the platform beside the task: tools, workspace, strictness.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import type { RunOptions, WorkspaceOptions } from "../../core/run-options.ts";
import { loadTools } from "../../suites/load-tools.ts";
import type { CliIo } from "../cli-io.ts";
import type { RunFlags } from "../commands/run.ts";

export async function readOptions(flags: RunFlags, io: CliIo): Promise<RunOptions> {
  const tools =
    flags.tools === undefined
      ? undefined
      : await loadTools(resolve(io.cwd, flags.tools), { variables: io.env });
  const workspace: WorkspaceOptions = {
    ...(flags.workspace !== undefined && { fixture: fixturePath(flags.workspace, io.cwd) }),
    ...(flags.collect && { collect: flags.collect }),
    ...(flags.keepWorkspace && { keep: true }),
  };
  return {
    ...(flags.strict && { strict: true }),
    ...(flags.canary && { canary: true }),
    ...(tools && { tools }),
    ...(Object.keys(workspace).length > 0 && { workspace }),
  };
}

function fixturePath(name: string, cwd: string): string {
  const path = resolve(cwd, name);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path;
  throw new ProctorError("FILE_UNREADABLE", `--workspace ${name} is no directory`);
}
