// Paths inside an image.
import { posix } from "node:path";

/** Returns the absolute path without `.`, `..` and a final slash. */
export function absolute(path: string, workdir: string): string {
  const full = posix.resolve("/", workdir, path);
  return full;
}

/** Returns the absolute path, and keeps the final slash that makes it a directory. */
export function absoluteTarget(path: string, workdir: string): string {
  const full = absolute(path, workdir);
  const isDirectory = /(?:^|\/)\.{0,2}$/u.test(path);
  return isDirectory && full !== "/" ? `${full}/` : full;
}
