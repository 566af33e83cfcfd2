// A mock OAuth and OpenID Connect server inside a test's process.
import { composition } from "../cli/compose/compose.ts";

type Opened = Awaited<ReturnType<typeof composition.openOAuthLab>>;

/** One request that reached the server, with its secrets, codes and tokens replaced. */
export type OAuthLabRequest = ReturnType<Opened["requests"]>[number];
/** What the server knows and how it misbehaves, in the form of a script file. */
export type OAuthLabScript = Opened["script"];
export type OAuthLabFaults = Parameters<Opened["setFaults"]>[0];

export interface StartOAuthLabOptions {
  /** The script, or the path of its file; without one there is the client `test` with the secret `secret`. */
  script?: string | OAuthLabScript;
  /** Port to listen on; any free one when absent. */
  port?: number;
}

export interface OAuthLabServer extends AsyncDisposable {
  /** Address of the server: `http://127.0.0.1:41200`. */
  readonly url: string;
  readonly issuer: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly OAuthLabRequest[];
  /** Resolves with the requests as soon as there are `count` of them; rejects when they do not come in time, by default 10 seconds. */
  waitFor(count: number, options?: { timeoutMs?: number }): Promise<OAuthLabRequest[]>;
  clearRequests(): void;
  /** Signs with a new key from now on; resolves to its `kid`. */
  rollover(): Promise<string>;
  /** Replaces all faults. */
  setFaults(faults: OAuthLabFaults): void;
  /** Says whether an access token is valid, and if not, why. */
  verify: Opened["verify"];
  /** Returns undefined for a request with a valid token; otherwise the response that refuses it. */
  guard: Opened["guard"];
  close(): Promise<void>;
}

const WAIT_MS = 10_000;

/** Throws when the script is wrong, or the port is taken. */
export async function startOAuthLab(options: StartOAuthLabOptions = {}): Promise<OAuthLabServer> {
  const lab = await composition.openOAuthLab({ ...options, env: process.env });
  const { url, issuer, verify, guard } = lab;
  return {
    url,
    issuer,
    get requests() {
      return lab.requests();
    },
    waitFor: (count, { timeoutMs = WAIT_MS } = {}) => lab.waitFor(count, AbortSignal.timeout(timeoutMs)),
    clearRequests: () => lab.clear(),
    rollover: () => lab.rollover(),
    setFaults: (faults) => lab.setFaults(faults),
    verify,
    guard,
    close: () => lab.close(),
    [Symbol.asyncDispose]: () => lab.close(),
  };
}
