// Whether the build is up to date: no source is newer than the last file that a build writes. Removing a file makes its folder newer.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const MADE_OF = [
  "packages/proctor/src",
  "sdk/typescript/src",
  "sdk/typescript/term/src",
  "proto",
  "scripts",
  "packages/dashboard",
];
const SETTINGS = [
  "package-lock.json",
  "tsconfig.base.json",
  "packages/proctor/package.json",
  "packages/proctor/tsconfig.build.json",
];
const LAST = "packages/proctor/suite.schema.json";
/** Paths that the generator writes before every build, so their age says nothing. */
const GENERATED = /(?:^|\/)gen(?:\/|$)/;

export function isBuilt(root = "."): boolean {
  const last = join(root, LAST);
  if (!existsSync(last)) return false;
  const builtAt = statSync(last).mtimeMs;
  const isOlder = (path: string): boolean => statSync(join(root, path)).mtimeMs < builtAt;
  return (
    SETTINGS.every(isOlder) &&
    MADE_OF.every((folder) => isOlder(folder) && entriesOf(root, folder).every(isOlder))
  );
}

function entriesOf(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => !GENERATED.test(path))
    .map((path) => join(folder, path));
}
