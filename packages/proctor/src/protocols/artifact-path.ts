// The name of an artifact, from the two fields that say it. The document's example of `relative_path` is a directory, other
// servers send the whole path: when its last segment is the file's name, it is the whole. A name, never a place to write to.

interface ArtifactPath {
  path: string;
  /** Problem of the name that was sent; the path then keeps only its harmless part. */
  problem?: string;
}

const MAX_CHARS = 1024;

export function artifactPath(file_name: string, relative_path?: string | null): ArtifactPath {
  const name = file_name.trim();
  const whole = join(relative_path ?? "", name);
  const path = segments(whole).join("/");
  // Without its dots a harmless beginning may be a drive.
  const problem = problemOf(whole) ?? problemOf(path);
  return problem === undefined ? { path } : { path: harmless(name), problem };
}

function join(directory: string, name: string): string {
  if (directory === "") return name;
  const last = segments(directory).at(-1);
  return last === name || name === "" ? directory : `${directory}/${name}`;
}

/** Returns undefined when the path is relative and never leads above its start. */
function problemOf(path: string): string | undefined {
  if (path.length > MAX_CHARS) return `its name has ${path.length} characters`;
  if (/\p{Cc}/u.test(path) || !path.isWellFormed()) return "its name has control characters";
  if (path.includes("\\")) return "its name has a backslash";
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "its name is an absolute path";
  const parts = segments(path);
  if (parts.includes("..")) return "its name leads out of its folder";
  return parts.length === 0 ? "it has no name" : undefined;
}

function segments(path: string): string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}

function harmless(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const clean = last.replaceAll(/\p{Cc}/gu, "").replace(/^[A-Za-z]:/, "");
  return problemOf(clean) === undefined ? clean : "artifact";
}
