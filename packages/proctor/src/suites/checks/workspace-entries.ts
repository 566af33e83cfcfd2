// Pass when a path of the workspace is a file, is a folder, or does not exist: `file_exists`, `dir_exists`, `file_not_exists`.
import { z } from "zod";
import { register, type RegisteredCheck } from "../check.ts";
import { fail, pass, unevaluated, type Verdict } from "../verdict.ts";
import { judgeEntry, notThere, type Entry } from "../workspace/workspace-entry.ts";
import { pathInside, workspacePath } from "../workspace/workspace-path.ts";

const config = z.strictObject({ path: pathInside, workspace_path: workspacePath });

const RULES: Record<string, (entry: Entry) => Verdict | Promise<Verdict>> = {
  file_exists: async (entry) =>
    entry.kind === "file" ? pass(`file ${entry.name} exists`) : fail(await notThere("file", entry)),
  file_not_exists({ kind, name }) {
    if (kind === "missing") return pass(`there is no ${name}`);
    return kind === "other" ? unevaluated(`${name} cannot be looked at`) : fail(`${name} exists`);
  },
  dir_exists: async (entry) =>
    entry.kind === "directory" ? pass(`folder ${entry.name} exists`) : fail(await notThere("folder", entry)),
};

export const workspaceEntries: readonly RegisteredCheck[] = Object.entries(RULES).map(([type, judge]) =>
  register({
    type,
    config,
    needsWorkspace: () => true,
    evaluate: (subject, where) => judgeEntry(subject, where, judge),
  }),
);
