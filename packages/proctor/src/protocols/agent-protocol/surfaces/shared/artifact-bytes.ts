// The bytes of an artifact on their way to a client. They are not the hub's own, so a browser never opens them: it gets a
// download, sandboxed, whose type it must not guess.
import type { Artifact } from "../../../../core/artifact.ts";
import { ProctorError } from "../../../../core/errors.ts";
import { attachment } from "../../../../runtime/http/attachment.ts";
import { bodyStream } from "../../../../runtime/http/body-stream.ts";
import { briefArtifact } from "./artifact-document.ts";

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w-]+=[\w.+-]+)*$/;

/** Characters of a type on which the pattern is tried, because it repeats a group. */
const MAX_TYPE_CHARS = 1000;

/** Cuts off a body that fails, so that its client sees that it is not whole. */
export function bodyOf(
  bytes: AsyncIterable<Uint8Array>,
  report: (problem: unknown) => void,
): ReadableStream<Uint8Array> {
  return bodyStream(bytes, {
    onFailure(cause) {
      report(cause);
      return false;
    },
  });
}

export function contentHeaders(artifact: Artifact): Record<string, string> {
  const type = artifact.content_type ?? "";
  const fallback = artifact.type === "structured" ? "application/json" : "application/octet-stream";
  return {
    "content-type": type.length <= MAX_TYPE_CHARS && MEDIA_TYPE.test(type) ? type : fallback,
    "content-disposition": attachment(briefArtifact(artifact).file_name),
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "private, no-cache",
  };
}

export function noBytes({ id }: Artifact): ProctorError {
  return new ProctorError("ARTIFACT_NOT_FOUND", `artifact ${id} was named and its bytes were never sent`);
}
