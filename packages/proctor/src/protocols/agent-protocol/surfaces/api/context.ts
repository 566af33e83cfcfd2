// What the surface of document 003 is created from, and what its routes share.
import { isAbsolute } from "node:path";
import type { NumberedPage } from "../../../../core/ports/hub.ts";
import type { SurfaceOptions } from "../../../protocol.ts";
import type { TaskOptions } from "../../surface.ts";
import { fileUris, noUri, type UriOf } from "../shared/artifact-document.ts";
import { createListPage } from "../shared/list-page.ts";
import { pagesFor } from "../shared/read-page.ts";
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
  /** Returns document 003's pagination, which goes next to a list. */
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

export const listPage = createListPage(pagination);
