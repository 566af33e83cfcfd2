// A suite of several files in a folder of its own, loaded as a user would.
import { messageOf } from "../../../src/core/message-of.ts";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadSuite } from "../../../src/suites/load.ts";
import type { Suite } from "../../../src/suites/suite.ts";

export interface SuiteFolder {
  path: string;
  /** `suite.yaml` is what is loaded. */
  load(files: Record<string, string | Uint8Array>, main?: string): Promise<Suite>;
  /** The lines of the error, with the folder cut off. */
  problems(files: Record<string, string | Uint8Array>, main?: string): Promise<string[]>;
  remove(): Promise<void>;
}

export async function createSuiteFolder(variables: Record<string, string> = {}): Promise<SuiteFolder> {
  const path = await mkdtemp(join(tmpdir(), "proctor-format-"));
  async function load(files: Record<string, string | Uint8Array>, main = "suite.yaml"): Promise<Suite> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(path, name)), { recursive: true });
      await writeFile(join(path, name), text);
    }
    return loadSuite(join(path, main), { variables });
  }
  return {
    path,
    load,
    async problems(files, main) {
      const message = await load(files, main).then(
        () => "no problem",
        (error: unknown) => messageOf(error),
      );
      return message.replaceAll(`${path}/`, "").split("\n");
    },
    remove: () => rm(path, { recursive: true }),
  };
}
