// Refuses what bubblewrap cannot give on this machine.
import type { EnvironmentLimits } from "../../core/environment.ts";
import { ProctorError } from "../../core/errors.ts";
import type { PreparedEnvironment } from "../provider.ts";
import { refuse } from "../refuse.ts";
import { isRoot } from "./as-user.ts";
import type { Machine } from "./machine.ts";

export function refuseImpossible(
  machine: Machine,
  { id, profile, user, options, image }: PreparedEnvironment,
): void {
  if (!/^[A-Za-z0-9-]{1,120}$/.test(id))
    throw refuse(`an environment cannot be called ${JSON.stringify(id)}`, []);
  if (profile === "multi-user" && !machine.root)
    throw refuse("several users need a hub that runs as root", ["use the profile strict"]);
  if (profile === "strict" && !isRoot(user)) {
    throw refuse(`the profile strict has one user, and ${String(user)} is another`, [
      "use the profile multi-user",
    ]);
  }
  if (image !== undefined || options.image !== undefined) {
    throw refuse(`bwrap knows no images: ${String(image ?? options.image)}`, [
      "use the environment container",
    ]);
  }
}

/** Returns the requested limits; throws where one of them is not valid. */
export function limitsOf(limits: EnvironmentLimits | undefined): EnvironmentLimits {
  for (const [name, value] of Object.entries(limits ?? {})) {
    if (typeof value !== "number" || !(value > 0) || !Number.isFinite(value)) {
      throw new ProctorError("ENVIRONMENT_UNAVAILABLE", `the limit ${name} has to be a number above 0`);
    }
  }
  return limits ?? {};
}
