// Paths and names of files as clients send them. They are shown and never used as a place on disk; still they go on to agents
// and other clients who might, so whatever could lead out of a folder is refused.
import { wrongField } from "./read-fields.ts";

export const MAX_PATH_BYTES = 1024;
export const MAX_NAME_BYTES = 255;

// oxlint-disable-next-line no-control-regex -- control characters are what has to be found
const CONTROL = /[\u0000-\u001f\u007f]/;
const DRIVE = /^[A-Za-z]:/;

/**
 * Returns the path normalised: `/` between segments, no `.`. Throws INVALID_REQUEST for a path that is absolute, leads upwards, is too long, or has
 * a backslash, a drive letter or a control character. Empty when the client named no folder.
 */
export function normalizePath(text: string, field: string): string {
  if (CONTROL.test(text)) throw wrongField(field, "has a control character");
  if (text.includes("\\")) throw wrongField(field, "has a backslash; separate folders with /");
  if (text.startsWith("/")) throw wrongField(field, "is absolute; it must be relative");
  if (Buffer.byteLength(text) > MAX_PATH_BYTES)
    throw wrongField(field, `is longer than ${MAX_PATH_BYTES} bytes`);
  const segments = text.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (DRIVE.test(segments[0] ?? "")) throw wrongField(field, "has a drive letter; it must be relative");
  if (segments.includes("..")) throw wrongField(field, "leads out of its folder with ..");
  if (segments.some((segment) => Buffer.byteLength(segment) > MAX_NAME_BYTES))
    throw wrongField(field, `has a name longer than ${MAX_NAME_BYTES} bytes`);
  return segments.join("/");
}

/** Returns the name of a file, which must be one segment. Throws INVALID_REQUEST. */
export function checkFileName(name: string): string {
  if (CONTROL.test(name)) throw wrongField("file", "has a control character in its name");
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw wrongField("file", `has a name longer than ${MAX_NAME_BYTES} bytes`);
  if (name === "." || name === ".." || /[/\\]/.test(name) || DRIVE.test(name))
    throw wrongField("file", "has a name that is a path");
  return name;
}

/** Returns the path of the file, its name included. A path that ends with the file's name is complete; any other is a folder. */
export function placeFile(relativePath: string | undefined, fileName: string): string {
  const path = normalizePath(relativePath ?? "", "relative_path");
  if (path === "") return fileName;
  const isFull = relativePath?.endsWith("/") !== true && path.split("/").at(-1) === fileName;
  if (isFull) return path;
  return normalizePath(`${path}/${fileName}`, "relative_path");
}
