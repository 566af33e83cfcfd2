// Refuses to work on a database with another key than its secrets were sealed with: every secret would be lost, one run at a time.
import { randomBytes } from "node:crypto";
import { ProctorError } from "../core/errors.ts";
import type { HubFacts } from "../core/ports/hub-facts.ts";
import type { Sealer } from "../core/ports/sealer.ts";

const CHECK = "proctor";

/**
 * Throws CONFIG_INVALID. `where` names the database. A text that an older key opens is sealed again with the present one, which then is
 * the key of the database.
 */
export async function checkSeal(
  facts: HubFacts,
  sealer: Sealer & { isCurrent(sealed: string): boolean },
  where: string,
): Promise<void> {
  const kept = await facts.settle("seal_check", sealer.seal(CHECK));
  if (sealer.open(kept) === CHECK) {
    if (!sealer.isCurrent(kept)) await facts.put("seal_check", sealer.seal(CHECK));
    return;
  }
  throw new ProctorError(
    "CONFIG_INVALID",
    `the secrets in ${where} were sealed with another key than this process has\n` +
      "Set SEAL_KEY, or seal_key_file, to the key of the processes that used it before (on one machine: seal.key in its data " +
      "directory). To replace a key, give both: SEAL_KEY=<new>,<old>.",
  );
}

/** Resolves with the key that signs tokens of runs, the same in all processes of a database. */
export async function sharedRunKey(facts: HubFacts, sealer: Sealer): Promise<Buffer> {
  const fresh = randomBytes(32).toString("base64");
  const opened = sealer.open(await facts.settle("run_key", sealer.seal(fresh)));
  if (opened !== undefined) return Buffer.from(opened, "base64");
  // Sealed with a key that was taken out of use: tokens of runs are short-lived, so another begins.
  await facts.put("run_key", sealer.seal(fresh));
  return Buffer.from(fresh, "base64");
}
