// Passes when there is a file in the workspace.
import { z } from "zod";
import type { Check } from "../check.ts";
import { fail, pass } from "../verdict.ts";
import { judgeEntry, notThere } from "../workspace/workspace-entry.ts";
import { pathInside, workspacePath } from "../workspace/workspace-path.ts";

const config = z.strictObject({ path: pathInside, workspace_path: workspacePath });

export const fileExists: Check<z.output<typeof config>> = {
  type: "file_exists",
  config,
  needsWorkspace: () => true,
  evaluate: (subject, config) =>
    judgeEntry(subject, config, async (entry) =>
      entry.kind === "file" ? pass(`file ${entry.name} exists`) : fail(await notThere("file", entry)),
    ),
};
