// Reports what a local environment can give on this machine: it is always available, and isolates nothing.
import { userInfo } from "node:os";
import type { EnvironmentReport } from "../../core/ports/environments.ts";

export async function probe(): Promise<EnvironmentReport> {
  return {
    kind: "local",
    available: process.platform !== "win32",
    detail:
      process.platform === "win32"
        ? "needs a Unix shell"
        : `no isolation: commands run on this machine as ${userName()}; has to be allowed with --unsafe-local`,
    advice: [],
    profiles: ["strict"],
    networks: ["host"],
    limits: ["output_mb"],
  };
}

/** The name of this process's user, or its number where there is no name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "its user");
  }
}
