// The credentials of agents, made once for the same options: tokens are shared by the runs of an agent.
import { canonicalJson } from "../../../../core/canonical-json.ts";
import type { AuthOptions, TlsOptions } from "../../../../runtime/schemas/credentials.ts";
import type { ClientAuth } from "./client-auth.ts";
import { createAuth, type AuthDeps } from "./create-auth.ts";

export interface Auths {
  of: (options: { auth?: AuthOptions; tls?: TlsOptions }) => ClientAuth;
}

/** Credentials that are kept; those that were asked for longest ago are forgotten. */
const MAX_KEPT = 200;

export function createAuths(deps: AuthDeps): Auths {
  const kept = new Map<string, ClientAuth>();
  return {
    of({ auth, tls }) {
      const options = { ...(auth && { auth }), ...(tls && { tls }) };
      const key = canonicalJson(options);
      const made = kept.get(key) ?? createAuth(options, deps);
      kept.delete(key);
      kept.set(key, made);
      const [oldest] = kept.keys();
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
      return made;
    },
  };
}
