// Artifacts of a task as reports: whole ones as they are, growing ones chunk by chunk, and of a snapshot only what had not come yet.
import { MAX_ARTIFACTS } from "../../../core/artifact.ts";
import type { AgentReport } from "../../../core/ports/driver.ts";
import { violationReport } from "../../reports.ts";
import type { A2aArtifact, A2aPart, ArtifactUpdate } from "../model.ts";
import { fileSentAs } from "../sent-as.ts";
import type { AnswerText } from "./answer-text.ts";
import { createContent, digestOf, type ArtifactContent } from "./artifact-content.ts";
import { piecesOf, type FilePiece } from "./artifact-pieces.ts";
import type { Heard } from "./heard.ts";
import { unknownReport } from "./reports.ts";

export interface Artifacts {
  /** Takes an event of a stream. */
  update(event: ArtifactUpdate): AgentReport[];
  /** Takes an artifact as a task has it. With `isFinal` it will not change any more. */
  snapshot(artifact: A2aArtifact, isFinal: boolean): AgentReport[];
  /** Closes what is still growing, because the task has ended. */
  end(): AgentReport[];
}

interface Growing {
  artifact: A2aArtifact;
  content: ArtifactContent;
  /** Files that may get more pieces, by their keys. */
  files: Map<string, FilePiece>;
}

export function createArtifacts({ heard, answer }: { heard: Heard; answer: AnswerText }): Artifacts {
  const growing = new Map<string, Growing>();
  let refused = false;

  function grow(artifact: A2aArtifact): Growing {
    const known = growing.get(artifact.artifactId);
    if (known) return known;
    const fresh = { artifact, content: createContent(), files: new Map<string, FilePiece>() };
    growing.set(artifact.artifactId, fresh);
    return fresh;
  }

  /** Reports an artifact in one piece. */
  function whole(artifact: A2aArtifact): AgentReport[] {
    answer.begin(artifact);
    heard.addArtifact(artifact.artifactId, digestOf(artifact.parts));
    return piecesOf(artifact, artifact.parts, false).map((piece) => {
      if (piece.kind === "unknown") return unknownReport("part", piece.part);
      if (piece.kind === "other") return { kind: "artifact", artifact: piece.artifact };
      const { path, content, contentType } = piece;
      const type = contentType === undefined ? {} : { content_type: contentType };
      const extensions = fileSentAs(piece.sentAs);
      return { kind: "artifact", artifact: { type: "file", path, content, ...type, extensions } };
    });
  }

  function more(artifact: A2aArtifact, parts: readonly A2aPart[], append: boolean): AgentReport[] {
    if (!append) growing.delete(artifact.artifactId);
    const { content, files } = grow(artifact);
    if (append) answer.extend(artifact.artifactId, parts);
    else answer.begin({ ...artifact, parts: [...parts] });
    content.add(parts);
    return piecesOf(artifact, parts, append).map((piece): AgentReport => {
      if (piece.kind === "unknown") return unknownReport("part", piece.part);
      if (piece.kind === "other") return { kind: "artifact", artifact: piece.artifact };
      const isNew = !files.has(piece.key);
      files.set(piece.key, { ...piece, content: EMPTY });
      return chunk(artifact.artifactId, piece, { append: append && !isNew, last: false });
    });
  }

  function close(id: string): AgentReport[] {
    const open = growing.get(id);
    if (open === undefined) return [];
    growing.delete(id);
    heard.addArtifact(id, open.content.digest());
    return [...open.files.values()].map((piece) => chunk(id, piece, { append: true, last: true }));
  }

  /** Returns true at the limit of a run's artifacts: an agent that keeps adding new ones must not fill the memory. */
  function isTooMany(id: string): boolean {
    return growing.size >= MAX_ARTIFACTS && !growing.has(id);
  }

  function tooMany(): AgentReport[] {
    if (refused) return [];
    refused = true;
    const message = `more than ${MAX_ARTIFACTS} artifacts grow at once; the others are left out`;
    return [violationReport({ rule: "a2a.artifact.count", message, where: "artifactUpdate" })];
  }

  return {
    update({ artifact, append = false, lastChunk = false }) {
      const { artifactId: id, parts } = artifact;
      const isKnown = growing.has(id);
      // An artifact that came whole, and comes again as it was.
      if (!isKnown && !append && heard.hasArtifact(id, digestOf(parts))) return [];
      if (lastChunk && !isKnown) return whole(artifact);
      if (isTooMany(id)) return tooMany();
      const reports = more(artifact, parts, append && isKnown);
      return lastChunk ? [...reports, ...close(id)] : reports;
    },
    snapshot(artifact, isFinal) {
      const { artifactId: id, parts } = artifact;
      const open = growing.get(id);
      if (open === undefined) {
        if (heard.hasArtifact(id, digestOf(parts))) {
          // A session that takes over a task has not read its text itself.
          answer.begin(artifact);
          return [];
        }
        if (isFinal) return whole(artifact);
        return isTooMany(id) ? tooMany() : more(artifact, parts, false);
      }
      const rest = open.content.restOf(parts);
      const reports =
        rest === undefined ? more(artifact, parts, false) : rest.length > 0 ? more(artifact, rest, true) : [];
      return isFinal ? [...reports, ...close(id)] : reports;
    },
    end: () => [...growing.keys()].flatMap(close),
  };
}

const EMPTY = Buffer.alloc(0);

function chunk(
  id: string,
  { key, path, content, contentType, sentAs }: FilePiece,
  { append, last }: { append: boolean; last: boolean },
): AgentReport {
  return {
    kind: "chunk",
    artifactId: `${id}\0${key}`.replaceAll("\0", "/"),
    name: path,
    content,
    ...(contentType !== undefined && { content_type: contentType }),
    append,
    last,
    extensions: fileSentAs(sentAs),
  };
}
