// The environment of a run, from the flags.
import type { EnvironmentOptions } from "../../core/environment.ts";
import { ProctorError } from "../../core/errors.ts";
import type { EnvironmentFlags } from "../flags.ts";

/** `--unsafe-local` alone also chooses the environment `local`. */
export function environmentOf(flags: EnvironmentFlags): EnvironmentOptions {
  const kind = flags.environment ?? (flags.unsafeLocal === true ? "local" : undefined);
  const network = flags.network ?? (flags.allowHost ? "allow-list" : undefined);
  if (flags.allowHost && network !== "allow-list") {
    throw new ProctorError(
      "USAGE",
      `--allow-host contradicts --network ${network}\nsay --network allow-list`,
    );
  }
  if (network === "allow-list" && !flags.allowHost) {
    throw new ProctorError(
      "USAGE",
      "--network allow-list allows nothing\nname hosts: --allow-host example.com",
    );
  }
  return {
    ...(kind && { kind }),
    ...(flags.profile && { profile: flags.profile }),
    ...(network && { network }),
    ...(flags.allowHost && { allow_hosts: flags.allowHost }),
  };
}
