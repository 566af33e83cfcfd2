// What `path` of a check on texts names: an artifact, or the conversation as one text.
import type { Artifact } from "../../core/artifact.ts";
import type { CheckSubject } from "../check.ts";
import { findArtifact } from "./find-artifact.ts";

/** Stands for everything that was said, unless the run has an artifact of this name. */
export const CONVERSATION: Artifact = { id: "conversation", type: "file", path: "conversation" };

export function findSource({ run }: CheckSubject, path: string): Artifact | undefined {
  return findArtifact(run, path) ?? (path === "conversation" ? CONVERSATION : undefined);
}
