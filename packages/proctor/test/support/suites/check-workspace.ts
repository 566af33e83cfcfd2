// A real directory as the workspace of a run, for tests of checks that look into it or run programs there.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { runCommand } from "../../../src/channels/process/run-command.ts";
import type { RunCommand } from "../../../src/core/ports/commands.ts";
import type { Workspace } from "../../../src/core/ports/workspaces.ts";
import { workspaceAt } from "../../../src/runtime/workspaces/workspace-at.ts";
import type { Given } from "./check-subject.ts";

export type Files = Record<string, string>;

function writeFiles(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

export function workspaceWith(folder: string, files: Files): Workspace {
  mkdirSync(folder, { recursive: true });
  writeFiles(folder, files);
  return workspaceAt(folder, () => Promise.resolve());
}

/** A run with this workspace, whose checks may run programs. */
export function given(workspace: Workspace, more: Given = {}): Given {
  return { workspace, services: { runCommand }, ...more };
}

/** Runs commands with our own small programs before, or instead of, those of the machine. */
export function withTools(folder: string, tools: Files, only = false): RunCommand {
  for (const [name, script] of Object.entries(tools)) {
    writeFiles(folder, { [name]: script });
    chmodSync(join(folder, name), 0o755);
  }
  const path = only ? folder : `${folder}${delimiter}${process.env["PATH"] ?? ""}`;
  return (request, signal) => runCommand({ ...request, env: { ...request.env, PATH: path } }, signal);
}
