// Refuses a request that this machine cannot satisfy: says what is wrong, and what to do next.
import type { EnvironmentOptions } from "../core/environment.ts";
import { ProctorError } from "../core/errors.ts";
import type { EnvironmentReport } from "../core/ports/environments.ts";

export function refuse(what: string, advice: readonly string[]): ProctorError {
  const next = advice.map((line) => `\n${line}`).join("");
  return new ProctorError("ENVIRONMENT_UNAVAILABLE", `${what}${next}`);
}

/** `memoryBytes` is the memory of the machine. */
export function refuseUnlessOffered(
  { kind, networks, profiles }: EnvironmentReport,
  { network, allow_hosts: hosts, profile, limits, image, root }: EnvironmentOptions,
  memoryBytes: number,
): void {
  if (network !== undefined && !networks.includes(network)) {
    throw refuse(`${kind} cannot give the network "${network}" here`, [`it has: ${networks.join(", ")}`]);
  }
  if (hosts !== undefined && network !== "allow-list") {
    throw refuse(`allow_hosts means nothing with the network "${network ?? "none"}"`, [
      "say network: allow-list",
    ]);
  }
  if (profile !== undefined && profile !== "auto" && !profiles.includes(profile)) {
    throw refuse(`${kind} has no profile ${profile} here`, [`it has: ${profiles.join(", ")}`]);
  }
  if (image !== undefined && kind !== "container") {
    throw refuse(`${kind} knows no images: ${image}`, ["use the environment container"]);
  }
  if (root !== undefined && kind !== "bwrap") {
    throw refuse(`${kind} takes no directory as its root: ${root}`, ["use the environment bwrap"]);
  }
  const asked = (limits?.memory_mb ?? 0) * 1024 * 1024;
  if (asked > memoryBytes) {
    const has = Math.floor(memoryBytes / 1024 / 1024);
    throw refuse(`${limits?.memory_mb} MB of memory are asked for, and this machine has ${has}`, []);
  }
}
