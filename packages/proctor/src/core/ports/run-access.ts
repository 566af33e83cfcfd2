// What an agent's program needs to ask its hub about its own run: the hub's address, and a token that ends with the run.

export interface RunAccess {
  /** Returns whether programs get a token now: the hub listens, and requires tokens. */
  isNeeded(): boolean;
  open(runId: string, agent: string, expiresAtMs: number): Promise<{ url: string; token: string }>;
}
