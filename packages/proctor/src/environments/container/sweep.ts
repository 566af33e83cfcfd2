// Removes what processes of ours that are gone left: their directories, and their containers.
import { removeAbandoned } from "../../runtime/files/owned-names.ts";
import { sweepForwards } from "../network/forward-dir.ts";
import type { Engine, NoEngine } from "./engine.ts";
import { ID_LABEL, isOrphan } from "./labels.ts";
import { removeContainer } from "./remove-container.ts";

export async function sweep(engine: Engine | NoEngine, stateDir: string): Promise<void> {
  await removeAbandoned(stateDir);
  await sweepForwards(stateDir);
  if ("reason" in engine) return;
  const all = await engine.docker.listContainers({ all: true, filters: { label: [ID_LABEL] } });
  const orphans = all.filter(({ Labels: labels }) => isOrphan(labels));
  await Promise.all(orphans.map(({ Id: id }) => removeContainer(engine, id)));
}
