// A run's artifact as document 003 shows it: in full, and in the short form that lists of tasks carry.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { artifactName, artifactTime, type Artifact } from "../../../../core/artifact.ts";
import type { JsonObject } from "../../../../core/json.ts";

export interface BriefArtifact extends JsonObject {
  artifact_id: string;
  file_name: string;
  relative_path: string;
}

export interface ArtifactDocument extends BriefArtifact {
  uri: string | null;
  mime_type: string | null;
  size_bytes: number | null;
  created_at: string | null;
  agent_created: boolean;
}

/** Returns the URI of the stored bytes; null where they are stored under their hash only, or clients must not know the place. */
export type UriOf = (artifact: Artifact) => string | null;

export const noUri: UriOf = () => null;

/** Returns URIs of uploaded files, which are stored in this directory under their names. */
export function fileUris(artifactsDir: string): UriOf {
  return ({ stored_as: name }) => (name === undefined ? null : pathToFileURL(join(artifactsDir, name)).href);
}

export function briefArtifact(artifact: Artifact): BriefArtifact {
  const path = artifactName(artifact);
  return {
    artifact_id: artifact.id,
    file_name: artifact.file_name ?? lastSegment(path),
    relative_path: path,
  };
}

export function artifactDocument(artifact: Artifact, uriOf: UriOf, createdAt?: string): ArtifactDocument {
  return {
    ...briefArtifact(artifact),
    uri: uriOf(artifact),
    mime_type: artifact.content_type ?? null,
    size_bytes: artifact.size_bytes ?? null,
    created_at: artifactTime(artifact) ?? createdAt ?? null,
    agent_created: artifact.agent_created !== false,
  };
}

function lastSegment(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== "") ?? path;
}
