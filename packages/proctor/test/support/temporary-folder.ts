// A folder for one test file, gone afterwards.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEveryFile } from "./closing.ts";

const folders: string[] = [];
afterEveryFile(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function temporaryFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `proctor-${name}-`)));
  folders.push(folder);
  return folder;
}
