// The keys of a hub: those of the configuration, or those in its data directory.
import { join } from "node:path";
import type { Sealer } from "../../core/ports/sealer.ts";
import type { Store } from "../../core/ports/store.ts";
import { checkSeal, sharedRunKey } from "../../stores/check-seal.ts";
import { openKeyFile } from "../../stores/key-file.ts";
import { createSealer, openSealer } from "../../stores/sealer.ts";
import type { Config } from "../config/load-config.ts";

export interface HubKeys {
  sealer: Sealer;
  /** Resolves with the key that signs tokens of runs. */
  runKey: () => Promise<Buffer>;
}

/**
 * Opens the keys. A database that processes share has one key, whichever of them brings it. Throws CONFIG_INVALID when it was used with
 * another key than this process has.
 */
export async function openKeys(
  {
    sealKeys,
    dataDir,
    databaseFile,
    databaseUrl,
  }: Pick<Config, "sealKeys" | "dataDir" | "databaseFile" | "databaseUrl">,
  { facts }: Pick<Store, "facts">,
): Promise<HubKeys> {
  if (sealKeys === undefined && databaseUrl === undefined) {
    const sealer = await openSealer(join(dataDir, "seal.key"));
    // Only a database that was moved here from PostgreSQL has one.
    if ((await facts.read("seal_check")) !== undefined) await checkSeal(facts, sealer, databaseFile);
    return {
      sealer,
      runKey: () => openKeyFile(join(dataDir, "runs.key")),
    };
  }
  const [key, ...older] = sealKeys ?? [await openKeyFile(join(dataDir, "seal.key"))];
  if (key === undefined) throw new Error("there is no key");
  const sealer = createSealer(key, ...older);
  // An address may hold a password.
  await checkSeal(facts, sealer, databaseUrl === undefined ? databaseFile : "the database");
  return { sealer, runKey: () => sharedRunKey(facts, sealer) };
}
