// Artifacts of a run by the name people call them by. The last of a name wins: an agent may send a file again.
import { artifactName } from "../../core/artifact.ts";
import type { Artifact } from "../../core/artifact.ts";
import type { Run } from "../../core/run.ts";
import { quote } from "../../core/printable.ts";

const SHOWN = 10;

export function findArtifact(run: Run, path: string): Artifact | undefined {
  return run.artifacts.findLast((artifact) => withoutDot(artifactName(artifact)) === withoutDot(path));
}

/** For messages: what there is instead. */
export function listArtifacts(run: Run): string {
  if (run.artifacts.length === 0) return "the run produced no artifacts";
  const names = run.artifacts.slice(0, SHOWN).map((artifact) => quote(artifactName(artifact)));
  const more = run.artifacts.length - names.length;
  return `the run produced ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function withoutDot(path: string): string {
  return path.replace(/^(?:\.\/)+/, "");
}
