// Tells a full disk, or a quota that is used up, from everything else that goes wrong with files.
const NO_ROOM: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

/** Looks through the causes as well. */
export function isNoRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && NO_ROOM.has(error.code)) || isNoRoom(error.cause);
}
