// Tells a full disk, or a quota that is used up, from everything else that goes wrong with files.
const NO_ROOM: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

/** Returns whether the error, or one of its causes, means that there is no room left. */
export function isNoRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && NO_ROOM.has(error.code)) || isNoRoom(error.cause);
}
