// Texts that a hub has opened for a worker, sealed again with the key of this process: plain text is kept nowhere.
import type { Sealer } from "../../core/ports/sealer.ts";
import type { Opened } from "../../core/ports/work-desk.ts";

/** A sealed text that no key opens. */
const LOST = "lost";

export function sealedHere(sealer: Sealer, opened: Opened): string | null {
  if (opened === null) return null;
  return opened.text === null ? LOST : sealer.seal(opened.text);
}
