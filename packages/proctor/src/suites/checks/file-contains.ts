// Passes when a text or a regular expression is found in a file of the workspace.
import { z } from "zod";
import type { WorkspaceFile } from "../../core/ports/workspaces.ts";
import type { Check } from "../check.ts";
import { quote } from "../../core/printable.ts";
import { fail, pass } from "../verdict.ts";
import { decodeText } from "../texts/artifact-texts.ts";
import { nearestText } from "../texts/nearest-text.ts";
import { checkPattern, compilePattern } from "../patterns/pattern.ts";
import { judgeEntry, notThere } from "../workspace/workspace-entry.ts";
import { pathInside, workspacePath } from "../workspace/workspace-path.ts";

const MAX_BYTES = 32 * 1024 * 1024;

const config = z
  .strictObject({
    path: pathInside,
    pattern: z.string().min(1),
    regex: z.boolean().default(false),
    workspace_path: workspacePath,
  })
  .superRefine(({ pattern, regex }, context) => {
    if (regex) checkPattern(pattern, context);
  });

export const fileContains: Check<z.output<typeof config>> = {
  type: "file_contains",
  config,
  needsWorkspace: () => true,
  evaluate: (subject, { pattern, regex, ...where }) =>
    judgeEntry(subject, where, async (entry) => {
      const { workspace, path, name } = entry;
      const file = await workspace.find(path);
      if (typeof file === "string") return fail(await notThere("file", entry));
      const text = decodeText(await readAll(file));
      if (text === undefined) return fail(`${name} is no text`);
      const what = regex ? `/${pattern}/` : quote(pattern);
      const found = compilePattern(pattern, regex)([text]);
      if (found) return pass(`${what} found in ${name}`);
      return fail(`${what} not found in ${name}: ${nearestText(text, regex ? undefined : pattern)}`);
    }),
};

/** Throws when it is too large, also when it grows while it is read. */
async function readAll(file: WorkspaceFile): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of file.read()) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new Error(`${quote(file.path)} is larger than 32 MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
