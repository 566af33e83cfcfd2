// The three surfaces of the protocol: document 003 on `/api` and `/ws`, the official v1 on `/ap`.
import type { AgentSpec } from "../../core/agent.ts";
import type { Surface, SurfaceOptions } from "../protocol.ts";
import { createApiSurface } from "./surfaces/api/surface.ts";
import { createOfficialSurface } from "./surfaces/official/surface.ts";
import { fileUris } from "./surfaces/shared/artifact-document.ts";
import { createWsSurface } from "./surfaces/ws/surface.ts";

/** Configuration of the hub about tasks: which agent works on them, and where their files are. */
export interface TaskOptions {
  /** The agent that new tasks run on, by name, address or in long form; without one, clients do the work. */
  defaultAgent?: string | AgentSpec;
  /** The absolute path of the directory that holds uploaded files under their names. */
  artifactsDir: string;
  /** The absolute path of the directory that holds the workspaces that tasks name. */
  workspacesRoot: string;
  /** True when clients are shown where files are on this machine. */
  exposeUri: boolean;
  /** Files that an agent makes or changes in its workspace become artifacts, unless the task says otherwise; true when absent. */
  collectFiles?: boolean;
}

export function createSurfaces(options: SurfaceOptions, tasks: TaskOptions): Surface[] {
  const shared = { ...options, ...tasks };
  const uriOf = tasks.exposeUri ? fileUris(tasks.artifactsDir) : undefined;
  return [
    createApiSurface(shared),
    createWsSurface({ ...options, ...(uriOf && { uriOf }) }),
    createOfficialSurface(shared),
  ];
}
