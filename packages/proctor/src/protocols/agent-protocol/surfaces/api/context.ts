// What the surface of document 003 is given, and what its routes share.
import { isAbsolute } from "node:path";
import type { SurfaceCall, SurfaceOptions, TaskOptions } from "../../../protocol.ts";
import { fileUris, noUri, type UriOf } from "../shared/artifact-document.ts";
import { MAX_FILE_BYTES } from "../shared/read-upload.ts";
import { createFileNaming, type NameFile } from "../shared/stored-name.ts";

export interface ApiSetting extends TaskOptions {
  maxFileBytes?: number;
}

export interface Api extends Omit<SurfaceOptions, "tasks"> {
  defaultAgent: TaskOptions["defaultAgent"];
  exposeUri: boolean;
  collectFiles: boolean;
  workspacesRoot: string;
  maxFileBytes: number;
  uriOf: UriOf;
  nameFile: NameFile;
  /** Aborted when the hub stops: whoever waits is told so. */
  stopping: AbortSignal;
}

/** One request, and what its path names, decoded. */
export interface ApiCall extends SurfaceCall {
  request: Request;
  task: string;
  step: string;
  artifact: string;
  query: () => URLSearchParams;
}

export type Handler = (api: Api, call: ApiCall) => Promise<Response>;

export function createApi(setting: Omit<SurfaceOptions, "tasks"> & ApiSetting, stopping: AbortSignal): Api {
  const { artifactsDir, exposeUri, defaultAgent } = setting;
  if (!isAbsolute(artifactsDir) || !isAbsolute(setting.workspacesRoot))
    throw new TypeError("artifactsDir and workspacesRoot must be absolute");
  return {
    ...setting,
    defaultAgent,
    collectFiles: setting.collectFiles ?? true,
    maxFileBytes: setting.maxFileBytes ?? MAX_FILE_BYTES,
    uriOf: exposeUri ? fileUris(artifactsDir) : noUri,
    nameFile: createFileNaming(),
    stopping,
  };
}
