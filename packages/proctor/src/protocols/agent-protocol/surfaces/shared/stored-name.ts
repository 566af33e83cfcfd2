// The name of an uploaded file in ARTIFACTS_DIR: document 003, `{taskId}_{stepId}_{timestamp}_{originalName}`.
import { MAX_NAME_BYTES } from "./relative-path.ts";

export type NameFile = (taskId: string, stepId: string, fileName: string) => string;

/** Returns names that are never the same: where the clock stands still, the time in the name grows by a millisecond. */
export function createFileNaming(now: () => number = Date.now): NameFile {
  let last = 0;
  return (taskId, stepId, fileName) => {
    last = Math.max(now(), last + 1);
    const prefix = `${taskId}_${stepId}_${last}_`;
    return prefix + shorten(fileName, MAX_NAME_BYTES - Buffer.byteLength(prefix));
  };
}

/** Shortens a name to `maxBytes` before its extension, without cutting a character in half. */
function shorten(name: string, maxBytes: number): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const extension = /\.[^.]{1,15}$/.exec(name)?.[0] ?? "";
  const stem = name.slice(0, name.length - extension.length);
  let room = maxBytes - Buffer.byteLength(extension);
  let kept = "";
  for (const character of stem) {
    room -= Buffer.byteLength(character);
    if (room < 0) break;
    kept += character;
  }
  return kept + extension;
}
