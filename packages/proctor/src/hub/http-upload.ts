// Streams a file to a run on a hub elsewhere.
import type { Artifact } from "../core/artifact.ts";
import { ProctorError } from "../core/errors.ts";
import type { NewFile } from "../core/ports/hub.ts";
import type { HttpClient } from "./http-client.ts";
import { query } from "./http-query.ts";

/** Bytes of the largest file that a hub accepts. */
const MAX_BYTES = 52_428_800;

export async function uploadOverHttp(client: HttpClient, path: string, file: NewFile): Promise<Artifact> {
  const { fileName, relativePath, contentType, stepId, storedAs } = file;
  const maxBytes = Math.min(file.maxBytes, MAX_BYTES);
  let failure: { cause: unknown } | undefined;

  /** Remembers what ended the content early, so that the caller gets that error and not the aborted request. */
  async function* content(): AsyncGenerator<Uint8Array> {
    let sizeBytes = 0;
    try {
      for await (const chunk of file.content) {
        sizeBytes += chunk.byteLength;
        if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
        yield chunk;
      }
    } catch (cause) {
      failure = { cause };
      throw cause;
    }
  }

  const parameters = {
    file_name: fileName,
    relative_path: relativePath,
    step_id: stepId,
    stored_as: storedAs,
    max_bytes: maxBytes,
  };
  try {
    return await client.sendJson<Artifact>(path + query(parameters), {
      method: "POST",
      content: content(),
      headers: { "content-type": contentType },
    });
  } catch (error) {
    if (failure !== undefined) throw failure.cause;
    throw error;
  }
}

function tooLarge(maxBytes: number): ProctorError {
  return new ProctorError("PAYLOAD_TOO_LARGE", `the file is larger than ${maxBytes} bytes`, {
    details: { max_bytes: maxBytes },
  });
}
