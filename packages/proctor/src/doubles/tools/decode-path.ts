// The name of a tool as it stands in a path.

/** Returns undefined when the path is badly encoded. A slash at the end is ignored. */
export function decodePath(segments: readonly string[]): string | undefined {
  try {
    return segments.map(decodeURIComponent).join("/").replace(/\/+$/, "");
  } catch {
    return undefined;
  }
}
