// What a local environment is on this machine: always there, and nothing that holds anybody back.
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

/** The number, where the machine has no name for it. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "its user");
  }
}
