// The parts of an artifact as what Proctor keeps: text and bytes as files, data as data, addresses as references. Pure.
import type { ReceivedArtifact } from "../../../core/ports/driver.ts";
import type { JsonObject } from "../../../core/json.ts";
import { artifactPath } from "../../artifact-path.ts";
import type { A2aArtifact, A2aPart } from "../model.ts";
import type { SentAs } from "../sent-as.ts";
import { bytesOf, kindOf, mediaTypeIn } from "./parts.ts";

/** Bytes of one file of an artifact, in one piece or as a piece of more. */
export interface FilePiece {
  kind: "file";
  /** Key of the file among those of its artifact. */
  key: string;
  path: string;
  content: Buffer;
  contentType?: string;
  /** Kind of part in which the agent sent it: the surface sends the same kind to its clients. */
  sentAs: SentAs;
}

export type Piece =
  | FilePiece
  | { kind: "other"; artifact: ReceivedArtifact }
  /** A part of an unknown kind. */
  | { kind: "unknown"; part: A2aPart };

type Named = Pick<A2aArtifact, "artifactId" | "name">;

/** `appended`: files go on where the artifact's files of the same name ended. */
export function piecesOf(artifact: Named, parts: readonly A2aPart[], appended: boolean): Piece[] {
  const files = new Map<string, FilePiece>();
  const counts = new Map<string, number>();
  let data = 0;

  function pieceOf(part: A2aPart): Piece | undefined {
    switch (kindOf(part)) {
      case undefined:
        return { kind: "unknown", part };
      case "data":
        return { kind: "other", artifact: dataOf(part, nameOf(artifact, ++data)) };
      case "url":
        return { kind: "other", artifact: referenceTo(part, nameOf(artifact, 1)) };
      default:
        return filePiece(part);
    }
  }

  /** Returns undefined for more of a file that has a piece already. */
  function filePiece(part: A2aPart): FilePiece | undefined {
    const isText = kindOf(part) === "text";
    const content = isText ? Buffer.from((part.text ?? "").toWellFormed()) : bytesOf(part);
    const base = `${isText ? "text" : "raw"}\0${part.filename ?? ""}`;
    const open = files.get(base);
    // The texts of one artifact are one text. Two files of the same name are two, unless they are pieces of a stream.
    if (open && (isText || appended)) {
      open.content = Buffer.concat([open.content, content]);
      return undefined;
    }
    const number = (counts.get(base) ?? 0) + 1;
    counts.set(base, number);
    const key = number === 1 ? base : `${base}\0${number}`;
    const piece = fileOf(artifact, part, { key, content, number });
    files.set(key, piece);
    return piece;
  }

  return parts.map(pieceOf).filter((piece) => piece !== undefined);
}

function fileOf(
  artifact: Named,
  part: A2aPart,
  { key, content, number }: { key: string; content: Buffer; number: number },
): FilePiece {
  const { path } = artifactPath(part.filename ?? nameOf(artifact, number));
  const sentAs = kindOf(part) === "text" ? "text" : "raw";
  const type = mediaTypeIn(part) ?? (sentAs === "text" ? "text/plain" : undefined);
  return { kind: "file", key, path, content, sentAs, ...(type !== undefined && { contentType: type }) };
}

function dataOf({ data = null, metadata }: A2aPart, name: string): ReceivedArtifact {
  const extensions: JsonObject = metadata === undefined ? {} : { metadata };
  return { type: "structured", name, data, ...(metadata && { extensions }) };
}

/** Reports the address without fetching it: nothing has allowed that. */
function referenceTo(part: A2aPart, name: string): ReceivedArtifact {
  const type = mediaTypeIn(part);
  return {
    type: "reference",
    path: part.url ?? "",
    elsewhere: true,
    ...(type !== undefined && { content_type: type }),
    extensions: { name: part.filename ?? name },
  };
}

function nameOf({ name, artifactId }: Named, number: number): string {
  const base = typeof name === "string" && name.trim() !== "" ? name : artifactId;
  return number === 1 ? base : `${base}-${number}`;
}
