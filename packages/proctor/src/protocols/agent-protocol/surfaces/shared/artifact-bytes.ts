// The bytes of an artifact on their way to a client. They came from somebody else, so a browser is never allowed to open them: it gets a
// download, sandboxed, with the type not to be guessed.
import type { Artifact } from "../../../../core/artifact.ts";
import { ProctorError } from "../../../../core/errors.ts";
import { briefArtifact } from "./artifact-document.ts";

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w-]+=[\w.+-]+)*$/;

/** Agents write it, and the pattern repeats a group. */
const MAX_TYPE_CHARS = 1000;

/** Pulled as fast as the client reads. A body that fails is cut, so that its client sees it is not whole. */
export function bodyOf(
  bytes: AsyncIterable<Uint8Array>,
  report: (problem: unknown) => void,
): ReadableStream<Uint8Array> {
  const iterator = bytes[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await iterator.next();
          if (done === true) controller.close();
          else controller.enqueue(value);
        } catch (cause) {
          report(cause);
          controller.error(cause);
        }
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
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

/** RFC 6266 and RFC 5987: a plain form for old clients, and the exact name. */
function attachment(fileName: string): string {
  // Control characters, halves of characters, and the marks that turn text around and disguise an extension.
  const clean = fileName.replaceAll(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "");
  const name = clean === "" ? "artifact" : clean;
  const ascii = name.replaceAll(/[^\x20-\x7e]/g, "_").replaceAll(/["\\%]/g, "_");
  const exact = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${exact}`;
}

export function noBytes({ id }: Artifact): ProctorError {
  return new ProctorError("ARTIFACT_NOT_FOUND", `artifact ${id} was named and its bytes were never sent`);
}
