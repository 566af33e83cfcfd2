// Checks with the place they stand at, and with the folder that relative paths in them are taken from.
import type { CaseCheckEntry, CheckEntry, Place } from "../suite.ts";
import type { Spot } from "./context.ts";

export interface PlacedCheck {
  entry: CheckEntry | CaseCheckEntry;
  place: Place;
  folder: string;
}

/** Places the entries of the list at `spot`. */
export function placeChecks(
  entries: readonly (CheckEntry | CaseCheckEntry)[] | undefined,
  { source, path }: Spot,
): PlacedCheck[] {
  return (entries ?? []).map((entry, index) => {
    const { file, line, col } = source.place([...path, index]);
    return { entry, place: { file, line, col }, folder: source.folder };
  });
}
