// What the surface of document 003 is created from, and what its routes share.
import { isAbsolute } from "node:path";
import type { NumberedPage } from "../../../../core/ports/hub.ts";
import { jsonResponse } from "../../../../runtime/http/respond.ts";
import type { SurfaceOptions } from "../../../protocol.ts";
import type { TaskOptions } from "../../surface.ts";
import { fileUris, noUri, type UriOf } from "../shared/artifact-document.ts";
import { onPage, pagesFor } from "../shared/read-page.ts";
import { MAX_FILE_BYTES } from "../shared/read-upload.ts";
import { createFileNaming, type NameFile } from "../shared/stored-name.ts";

export interface ApiOptions extends SurfaceOptions, TaskOptions {
  maxFileBytes?: number;
}

export interface Api extends SurfaceOptions {
  defaultAgent: TaskOptions["defaultAgent"];
  exposeUri: boolean;
  collectFiles: boolean;
  workspacesRoot: string;
  maxFileBytes: number;
  uriOf: UriOf;
  nameFile: NameFile;
  /** Aborted when the hub stops: clients that wait get an answer then. */
  stopping: AbortSignal;
}

export function createApi(options: ApiOptions, stopping: AbortSignal): Api {
  const { artifactsDir, exposeUri, defaultAgent } = options;
  if (!isAbsolute(artifactsDir) || !isAbsolute(options.workspacesRoot))
    throw new TypeError("artifactsDir and workspacesRoot must be absolute");
  return {
    ...options,
    defaultAgent,
    collectFiles: options.collectFiles ?? true,
    maxFileBytes: options.maxFileBytes ?? MAX_FILE_BYTES,
    uriOf: exposeUri ? fileUris(artifactsDir) : noUri,
    nameFile: createFileNaming(),
    stopping,
  };
}

export const PAGE_NAMES = { page: ["page"], size: ["pageSize"], defaultSize: 20 };

/** Document 003's pagination, beside a list. */
export function pagination(total: number, { page, size }: NumberedPage): object {
  return { total, page, pageSize: size, totalPages: pagesFor(total, size) };
}

/** Answers with one page of a list that is in memory as a whole. */
export function listPage<T>(
  name: string,
  all: readonly T[],
  page: NumberedPage,
  show: (item: T) => object,
): Response {
  return jsonResponse({ [name]: onPage(all, page).map(show), pagination: pagination(all.length, page) });
}
