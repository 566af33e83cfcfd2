// Where steps run: an environment over the layers so far, with one user more than nobody where the machine can.
import { randomBytes } from "node:crypto";
import { totalmem } from "node:os";
import type { Profile } from "../../core/environment.ts";
import { ProctorError } from "../../core/errors.ts";
import type { Environment, Mount } from "../../core/ports/environments.ts";
import { DEFAULT_PATH } from "../default-path.ts";
import type { BuildRequest } from "./build-request.ts";

interface SandboxOptions {
  layers: readonly string[];
  /** Directory that receives what is written, which is discarded when absent. */
  upper?: string;
  mounts?: readonly Mount[];
}

export type OpenSandbox = (options: SandboxOptions) => Promise<Environment>;

/** Share of the machine's memory that a build may use. */
const MEMORY_SHARE = 0.75;
const PROCESSES = 2048;

export function sandboxes({ open, root, network }: BuildRequest, signal: AbortSignal): OpenSandbox {
  let profile: Profile = process.getuid?.() === 0 ? "multi-user" : "strict";

  return async function openSandbox(options) {
    const request = {
      ...options,
      id: `build-${process.pid}-${randomBytes(4).toString("hex")}`,
      role: "terminal" as const,
      options: {
        network,
        limits: { memory_mb: Math.floor((totalmem() / 1024 / 1024) * MEMORY_SHARE), processes: PROCESSES },
        ...(root !== undefined && { root }),
      },
      signal,
      workdir: "/",
      env: { PATH: DEFAULT_PATH },
      rootName: root ?? "host",
      notes: [],
    };
    try {
      return await open({ ...request, profile });
    } catch (error) {
      if (profile === "strict" || !ProctorError.is(error) || error.code !== "ENVIRONMENT_UNAVAILABLE")
        throw error;
      profile = "strict";
      return open({ ...request, profile });
    }
  };
}
