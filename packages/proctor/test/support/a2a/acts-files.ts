// Small files of ACTS, as tests write them, and what is said of wrong ones.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ProctorError } from "../../../src/core/errors.ts";
import { readActs, type ActsSuites } from "../../../src/protocols/a2a/acts/read-acts.ts";
import { temporaryFolder } from "../temporary-folder.ts";

export const HEAD = 'acts_version: "1.0"\nspec_version: "1.0"\n';

/** A step that sends nothing in particular. */
export const STEP = "- id: send\n  operation: send_message\n  params: {}\n";

/** A document with one test, whose steps begin in line 11; `more` are further keys of the test. */
export function withSteps(steps: string, more = ""): string {
  const test = `- id: T-1\n  name: T\n  level: must\n  steps:\n${indented(steps, 4)}${indented(more, 2)}`;
  return `${HEAD}suites:\n  - id: s\n    name: S\n    tests:\n${indented(test, 6)}`;
}

function indented(text: string, columns: number): string {
  return text.replaceAll(/^(?=.)/gm, " ".repeat(columns));
}

export type Files = Readonly<Record<string, string>>;

export function folderOf(files: Files): string {
  const folder = temporaryFolder("acts");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

export function readFiles(files: Files): Promise<ActsSuites> {
  return readActs(".", folderOf(files));
}

/** Why files are refused; a text is that of a.acts.yaml. */
export async function problemsOf(files: Files | string): Promise<string> {
  try {
    await readFiles(typeof files === "string" ? { "a.acts.yaml": files } : files);
  } catch (error) {
    if (ProctorError.is(error) && /^(SUITE_INVALID|FILE_UNREADABLE)$/.test(error.code)) return error.message;
    throw error;
  }
  throw new Error("nothing is wrong with these files");
}
