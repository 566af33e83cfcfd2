// The name under which an uploaded file stands in ARTIFACTS_DIR: document 003, `{taskId}_{stepId}_{timestamp}_{originalName}`.
import { MAX_NAME_BYTES } from "./relative-path.ts";

export type NameFile = (taskId: string, stepId: string, fileName: string) => string;

/** Two names are never the same: the time goes on by a millisecond where the clock does not. */
export function createFileNaming(now: () => number = Date.now): NameFile {
  let last = 0;
  return (taskId, stepId, fileName) => {
    last = Math.max(now(), last + 1);
    const prefix = `${taskId}_${stepId}_${last}_`;
    return prefix + shorten(fileName, MAX_NAME_BYTES - Buffer.byteLength(prefix));
  };
}

/** At most so many bytes; what has to go goes from before the extension, and no character is cut in half. */
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
