// How agents' programs reach the hub about their own runs: only where the hub listens, and needs a token.
import type { RunAccess } from "../../core/ports/run-access.ts";
import type { Authority } from "../../core/ports/tokens.ts";

export interface PublishedRunAccess extends RunAccess {
  /** Sets the address at which programs on this machine find the hub. */
  publish(url: string): void;
}

export function createRunAccess(authority: Pick<Authority, "closed" | "issueForRun">): PublishedRunAccess {
  let found: string | undefined;
  return {
    publish: (url) => void (found = url),
    isNeeded: () => found !== undefined && authority.closed(),
    async open(runId, agent, expiresAtMs) {
      return { url: found ?? "", token: await authority.issueForRun(runId, agent, expiresAtMs) };
    },
  };
}
