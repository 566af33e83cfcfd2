// Artifacts of a run by the name people call them by. The last of a name wins: an agent may send a file again.
import { artifactName } from "../../core/artifact.ts";
import type { Artifact } from "../../core/artifact.ts";
import type { Run } from "../../core/run.ts";
import { quote } from "../../core/printable.ts";
import { fail, type Verdict } from "../verdict.ts";
import { quoted } from "./words.ts";

export function findArtifact(run: Run, path: string): Artifact | undefined {
  return run.artifacts.findLast((artifact) => withoutDot(artifactName(artifact)) === withoutDot(path));
}

/** The verdict of a check whose artifact is not there. */
export function noArtifact(run: Run, path: string): Verdict {
  return fail(`no artifact ${quote(path)}; ${listArtifacts(run)}`);
}

/** What there is instead, for messages. */
export function listArtifacts(run: Run): string {
  if (run.artifacts.length === 0) return "the run produced no artifacts";
  return `the run produced ${quoted(run.artifacts.map(artifactName))}`;
}

function withoutDot(path: string): string {
  return path.replace(/^(?:\.\/)+/, "");
}
