// Artifacts of a step: upload, download, list, get, delete.
import { path, type CallOptions, type Connection } from "./connection.ts";
import type { ArtifactDocument, Page } from "./documents.ts";
import { openDownload, type Download } from "./download.ts";
import { encodeForm, type Content } from "./encode-form.ts";
import { readAll, readPage, type Listing, type ListOptions, type PageOptions } from "./pages.ts";

export interface Upload {
  /** The content is a string, bytes, a Blob or File, or anything that yields bytes, such as a stream or an async generator. */
  content: Content;
  /** Name of the file. It may be left out when the content is a `File`, which has one. */
  name?: string;
  /** Path of the file within the artifacts of the step, with `/` between folders. */
  relativePath?: string;
  /** Media type of the file. It defaults to the type of a Blob, and to `application/octet-stream`. */
  contentType?: string;
}

export interface ArtifactCalls {
  upload(task: string, step: string, upload: Upload, options?: CallOptions): Promise<ArtifactDocument>;
  /** Resolves when the headers have arrived. A caller that does not read the body must cancel it. */
  download(task: string, step: string, artifact: string, options?: CallOptions): Promise<Download>;
  get(task: string, step: string, artifact: string, options?: CallOptions): Promise<ArtifactDocument>;
  list(task: string, step: string, options?: ListOptions): AsyncIterable<ArtifactDocument>;
  page(task: string, step: string, options?: PageOptions): Promise<Page<ArtifactDocument>>;
  delete(task: string, step: string, artifact: string, options?: CallOptions): Promise<void>;
}

export function createArtifactCalls(connection: Connection): ArtifactCalls {
  const place = (task: string, step: string, ...rest: string[]): string =>
    path(task, "steps", step, "artifacts", ...rest);
  const listing = (task: string, step: string): Listing<ArtifactDocument> => ({
    connection,
    path: place(task, step),
    name: "artifacts",
    idOf: ({ artifact_id }) => artifact_id,
  });
  return {
    async upload(task, step, upload, { signal } = {}) {
      const form = encodeForm(upload);
      try {
        return await connection.json<ArtifactDocument>(place(task, step), {
          method: "POST",
          body: form.body,
          headers: form.headers,
          signal,
        });
      } catch (error) {
        // The error of the content is the cause; that of the request only follows from it.
        throw form.failure() ?? error;
      } finally {
        form.close();
      }
    },
    download: async (task, step, artifact, { signal } = {}) =>
      openDownload(
        await connection.send(place(task, step, artifact, "download"), {
          headers: { accept: "*/*" },
          signal,
        }),
      ),
    get: (task, step, artifact, { signal } = {}) => connection.json(place(task, step, artifact), { signal }),
    list: (task, step, options) => readAll(listing(task, step), options),
    page: (task, step, options) => readPage(listing(task, step), options),
    delete: (task, step, artifact, { signal } = {}) =>
      connection.done(place(task, step, artifact), { method: "DELETE", signal }),
  };
}
