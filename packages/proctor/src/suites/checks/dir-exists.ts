// Passes when there is a folder in the workspace.
import { z } from "zod";
import type { Check } from "../check.ts";
import { fail, pass } from "../verdict.ts";
import { judgeEntry, notThere } from "../workspace/workspace-entry.ts";
import { pathInside, workspacePath } from "../workspace/workspace-path.ts";

const config = z.strictObject({ path: pathInside, workspace_path: workspacePath });

export const dirExists: Check<z.output<typeof config>> = {
  type: "dir_exists",
  config,
  needsWorkspace: () => true,
  evaluate: (subject, config) =>
    judgeEntry(subject, config, async (entry) =>
      entry.kind === "directory"
        ? pass(`folder ${entry.name} exists`)
        : fail(await notThere("folder", entry)),
    ),
};
