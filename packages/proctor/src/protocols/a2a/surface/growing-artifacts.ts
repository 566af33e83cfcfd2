// The artifacts of a run that are not whole yet, as far as its log shows their texts.
import { createHash, type Hash } from "node:crypto";
import { contentSha256, type Artifact } from "../../../core/artifact.ts";
import type { RunEvent } from "../../../core/event.ts";
import { sentAs, type SentAs } from "../sent-as.ts";

export interface GrowingArtifact {
  /** Id of the artifact that it becomes. */
  id: string;
  name: string;
  contentType?: string;
  /** Kind of part in which an agent that speaks A2A sent it. */
  sent?: SentAs;
  /** Text that was shown of it so far. */
  text: string;
}

/** More of an artifact. */
export interface ArtifactPiece {
  artifact: GrowingArtifact;
  text: string;
  /** False for the first piece, and for one that replaces the earlier ones. */
  append: boolean;
}

export interface GrowingArtifacts {
  /** Takes the events of the log in order; returns what one of them adds to an artifact. */
  add(event: RunEvent): ArtifactPiece | undefined;
  /** Closes an artifact that is whole. Returns true when all of it was shown. */
  close(artifact: Artifact): boolean;
  /** Returns the artifacts of which something was shown. */
  list(): GrowingArtifact[];
}

interface Growing extends GrowingArtifact {
  hash: Hash;
}

export function createGrowingArtifacts(): GrowingArtifacts {
  /** Growing artifacts by the id that the log gives them while they grow. */
  const open = new Map<string, Growing>();

  function begin(payload: Extract<RunEvent, { type: "artifact.opened" }>["payload"]): void {
    const { id, name, artifact_id: artifactId, content_type: contentType, extensions } = payload;
    const sent = extensions && sentAs(extensions);
    // Bytes stay bytes, even where they are those of a text.
    if (artifactId === undefined || sent === "raw") return;
    const type = contentType === undefined ? {} : { contentType };
    const how = sent === undefined ? {} : { sent };
    open.set(id, { id: artifactId, name, ...type, ...how, text: "", hash: createHash("sha256") });
  }

  return {
    add(event) {
      if (event.type === "artifact.opened") begin(event.payload);
      if (event.type !== "artifact.extended") return undefined;
      const { id, text = "", restart = false } = event.payload;
      const artifact = open.get(id);
      if (artifact === undefined) return undefined;
      const isEmpty = artifact.text === "";
      if (restart) {
        artifact.text = "";
        artifact.hash = createHash("sha256");
      }
      // A client that has seen nothing has nothing to replace.
      if (text === "" && (!restart || isEmpty)) return undefined;
      const append = artifact.text !== "";
      artifact.text += text;
      artifact.hash.update(text);
      return { artifact, text, append };
    },
    close(artifact) {
      const found = [...open].find(([, { id }]) => id === artifact.id);
      if (found === undefined) return false;
      const [key, { text, hash }] = found;
      open.delete(key);
      return text !== "" && hash.digest("hex") === contentSha256(artifact);
    },
    list: () => [...open.values()].filter(({ text }) => text !== ""),
  };
}
