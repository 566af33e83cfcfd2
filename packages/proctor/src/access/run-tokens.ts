// Tokens for what the agent of one run may reach while it runs: signed, so that nothing is stored, and worth nothing once the run has ended.
import type { Caller } from "../core/caller.ts";
import { RUN_PREFIX } from "./token-text.ts";

export interface RunTokens {
  issue(runId: string, agent: string, expiresAtMs: number): Promise<string>;
  /** Resolves with undefined for a token of another kind or hub, an expired one, or one whose run has ended. */
  identify(text: string): Promise<Caller | undefined>;
}

export interface RunTokensDeps {
  /** Loads the key, 32 bytes, when the first token needs it. */
  key: () => Promise<Uint8Array>;
  /** Resolves with whether there is such a run and it has not ended. */
  isLive: (runId: string) => Promise<boolean>;
  now: () => number;
  /** Returns the caller, with its refusals reported. */
  watched: (caller: Caller) => Caller;
}

const ALGORITHM = "HS256";
const AUDIENCE = "proctor-run";
/** Most characters of a run's token. */
const MAX_CHARS = 1000;

export function createRunTokens({ key, isLive, now, watched }: RunTokensDeps): RunTokens {
  let loaded: Promise<Uint8Array> | undefined;
  const loadKey = (): Promise<Uint8Array> => (loaded ??= key());

  return {
    async issue(runId, agent, expiresAtMs) {
      const { SignJWT } = await import("jose");
      const signed = await new SignJWT({ agent })
        .setProtectedHeader({ alg: ALGORITHM })
        .setSubject(runId)
        .setAudience(AUDIENCE)
        .setExpirationTime(Math.ceil(expiresAtMs / 1000))
        .sign(await loadKey());
      return RUN_PREFIX + signed;
    },
    async identify(text) {
      if (text.length > MAX_CHARS) return undefined;
      const { jwtVerify } = await import("jose");
      const options = { algorithms: [ALGORITHM], audience: AUDIENCE, currentDate: new Date(now()) };
      const verified = await jwtVerify(text.slice(RUN_PREFIX.length), await loadKey(), options).catch(
        () => undefined,
      );
      const runId = verified?.payload.sub;
      if (runId === undefined || !(await isLive(runId))) return undefined;
      return watched({
        name: `run:${runId}`,
        scopes: ["runs:read"],
        binding: { kind: "run", name: runId },
      });
    },
  };
}
