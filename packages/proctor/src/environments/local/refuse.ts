// Refuses what a directory on this machine cannot be: an image, a network of its own, a limit, another user.
import { DEFAULT_LIMITS } from "../../core/environment.ts";
import { ProctorError } from "../../core/errors.ts";
import type { PreparedEnvironment } from "../provider.ts";
import { userName } from "./probe.ts";

export function refuseImpossible(request: PreparedEnvironment): void {
  const { options } = request;
  if (!/^[A-Za-z0-9-]+$/.test(request.id)) throw new Error(`not a name for an environment: ${request.id}`);
  if (process.platform === "win32") throw unavailable("a local environment needs a Unix shell");
  if (request.profile !== "strict")
    throw unavailable(`a local environment has no profile ${request.profile}`);
  if (options.image !== undefined || request.image !== undefined) {
    throw unavailable(`a local environment knows no images: ${options.image ?? request.image}`);
  }
  if (options.build !== undefined || request.layers.length > 0 || request.upper !== undefined) {
    throw unavailable("nothing can be built for a local environment: it has no file system of its own");
  }
  if (options.root !== undefined) throw unavailable(`a local environment takes no root: ${options.root}`);
  if ((options.network ?? "host") !== "host" || options.allow_hosts !== undefined) {
    throw unavailable(`a local environment has this machine's network, and cannot have "${options.network}"`);
  }
  refuseUser(request.user);
  refuseLimits(request);
}

/** Refuses every user but the one that this process has. */
export function refuseUser(user: string | undefined): void {
  if (user !== undefined && user !== userName() && user !== String(process.getuid?.())) {
    throw unavailable(`a local environment runs commands as ${userName()}, not as ${user}`);
  }
}

/** Refuses limits that differ from the defaults, which are filled in for every kind without being requested. */
function refuseLimits({ options: { limits = {} } }: PreparedEnvironment): void {
  const usual: Record<string, unknown> = DEFAULT_LIMITS;
  for (const [name, value] of Object.entries(limits)) {
    if (name === "output_mb" || value === undefined || value === usual[name]) continue;
    throw unavailable(`a local environment cannot hold anybody to ${name}: ${JSON.stringify(value)}`);
  }
}

export function unavailable(what: string, next = "use the environment bwrap or container"): ProctorError {
  return new ProctorError("ENVIRONMENT_UNAVAILABLE", `${what}\n${next}`);
}
