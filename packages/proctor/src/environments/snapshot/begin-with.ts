// The files that an environment begins with, as a snapshot: one that was kept, or another environment as it is now.
import type { PreparedEnvironment } from "../provider.ts";
import { isSystemDirectory } from "../system/system-directories.ts";
import { choosePaths } from "./choose-paths.ts";

/** Returns undefined when the environment begins with its root alone. */
export function beginWith({
  restore,
  over,
  without,
  only,
  mounts = [],
  restoreSystem = false,
}: PreparedEnvironment): AsyncIterable<Uint8Array> | undefined {
  const stream = restore ?? over?.snapshot({ maxBytes: Number.POSITIVE_INFINITY });
  if (stream === undefined) return undefined;
  if (without === undefined && only === undefined && mounts.length === 0 && !restoreSystem) return stream;
  const places = mounts.map(({ target }) => `${target}/`);
  return choosePaths(stream, {
    ...(without && { without }),
    ...(only && { only }),
    // Mounts cannot be removed, and tests could not run in a root without its programs.
    staying: (path) =>
      places.some((place) => place.startsWith(`${path}/`)) || (restoreSystem && isSystemDirectory(path)),
  });
}
