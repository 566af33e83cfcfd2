// Passes when nothing of that name is in the workspace.
import { z } from "zod";
import type { Check } from "../check.ts";
import { fail, pass, unevaluated } from "../verdict.ts";
import { judgeEntry } from "../workspace/workspace-entry.ts";
import { pathInside, workspacePath } from "../workspace/workspace-path.ts";

const config = z.strictObject({ path: pathInside, workspace_path: workspacePath });

export const fileNotExists: Check<z.output<typeof config>> = {
  type: "file_not_exists",
  config,
  needsWorkspace: () => true,
  evaluate: (subject, config) =>
    judgeEntry(subject, config, ({ kind, name }) => {
      if (kind === "missing") return pass(`there is no ${name}`);
      return kind === "other" ? unevaluated(`${name} cannot be looked at`) : fail(`${name} exists`);
    }),
};
