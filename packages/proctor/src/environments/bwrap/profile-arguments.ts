// What bubblewrap is told about users and rights, by profile.
import type { Profile } from "../../core/environment.ts";

/** Capabilities for useradd, chown and su; none that mounts, makes devices, reads past permissions or looks into other processes. */
const MULTI_USER = [
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "SETGID",
  "SETUID",
  "SETPCAP",
  "NET_BIND_SERVICE",
  "SYS_CHROOT",
  "AUDIT_WRITE",
  "SETFCAP",
];

export function capabilityArguments(profile: Profile): string[] {
  const kept = profile === "multi-user" ? MULTI_USER : [];
  return ["--cap-drop", "ALL", ...kept.flatMap((name) => ["--cap-add", `CAP_${name}`])];
}
