// Passes when a folder of the workspace holds a given number of files.
import { z } from "zod";
import type { Check } from "../check.ts";
import { quote } from "../../core/printable.ts";
import { fail, pass, unevaluated } from "../verdict.ts";
import { count as counted } from "../texts/words.ts";
import { judgeEntry, notThere } from "../workspace/workspace-entry.ts";
import { pathInside, workspacePath } from "../workspace/workspace-path.ts";

const OPERATORS = {
  eq: { words: "exactly", holds: (found: number, count: number) => found === count },
  gt: { words: "more than", holds: (found: number, count: number) => found > count },
  gte: { words: "at least", holds: (found: number, count: number) => found >= count },
  lt: { words: "fewer than", holds: (found: number, count: number) => found < count },
  lte: { words: "at most", holds: (found: number, count: number) => found <= count },
};

const config = z.strictObject({
  path: pathInside.default("."),
  count: z.int().min(0),
  operator: z.enum(["eq", "gt", "gte", "lt", "lte"]).default("eq"),
  /** The pattern of the files that count; by default those directly in the folder. */
  pattern: z.string().min(1).default("*"),
  workspace_path: workspacePath,
});

export const fileCount: Check<z.output<typeof config>> = {
  type: "file_count",
  config,
  needsWorkspace: () => true,
  evaluate: (subject, { count, operator, pattern, ...where }) =>
    judgeEntry(subject, where, async (entry) => {
      const { workspace, path, name, kind } = entry;
      if (kind !== "directory") return fail(await notThere("folder", entry));
      const { files, complete } = await workspace.count(path, pattern);
      const { words, holds } = OPERATORS[operator];
      const which = pattern === "*" ? "" : ` that match ${quote(pattern)}`;
      const message = `${counted(files, "file")}${which} in ${name}, ${words} ${count} expected`;
      // There may be more files than were seen: only an outcome that no further file could change is decided.
      const open = !complete && holds(files, count) !== holds(Infinity, count);
      if (open || (!complete && operator === "eq" && files <= count))
        return unevaluated(`${message}; there is more than can be looked at`);
      return holds(files, count) ? pass(message) : fail(message);
    }),
};
