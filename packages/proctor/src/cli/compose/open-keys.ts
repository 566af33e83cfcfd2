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
  /** The key that signs tokens of runs. */
  runKey: () => Promise<Buffer>;
}

/** Throws CONFIG_INVALID when the database was used with another key than the configuration has. */
export async function openKeys(
  { sealKeys, dataDir, databaseFile }: Pick<Config, "sealKeys" | "dataDir" | "databaseFile">,
  { facts }: Pick<Store, "facts">,
): Promise<HubKeys> {
  const [key, ...older] = sealKeys ?? [];
  if (key === undefined) {
    return {
      sealer: await openSealer(join(dataDir, "seal.key")),
      runKey: () => openKeyFile(join(dataDir, "runs.key")),
    };
  }
  const sealer = createSealer(key, ...older);
  await checkSeal(facts, sealer, databaseFile);
  return { sealer, runKey: () => sharedRunKey(facts, sealer) };
}
