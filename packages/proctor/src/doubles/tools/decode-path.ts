// The name of a tool as it stands in a path.

/** Undefined when it is badly encoded. A slash at the end means nothing. */
export function decodePath(segments: readonly string[]): string | undefined {
  try {
    return segments.map(decodeURIComponent).join("/").replace(/\/+$/, "");
  } catch {
    return undefined;
  }
}
