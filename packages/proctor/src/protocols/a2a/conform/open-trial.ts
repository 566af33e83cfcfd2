// How a trial begins, whichever rules are tried: the agent's settings, what must not be shown of them, and what it turned out to offer.
import type { AgentSpec } from "../../../core/agent.ts";
import { ProctorError } from "../../../core/errors.ts";
import type { ConformanceOptions, ConformanceSubject } from "../../../conformance/conformance.ts";
import { isGone, type Discovery } from "../card/discover-card.ts";
import { isGrpc } from "../card/pick-interface.ts";
import { settingsOf, type A2aSettings } from "../driver/settings.ts";
import type { Endpoint } from "./endpoint.ts";
import { createTrial, type Trial } from "./trial.ts";

const DEFAULT_TASK = "Say hello.";
/** Environment variable with a token that has too few permissions. */
const INSUFFICIENT_TOKEN = "A2A_INSUFFICIENT_TOKEN";
/** Environment variable with the client id for the flows of OAuth. */
const CLIENT_ID = "A2A_CLIENT_ID";
const CLIENT_SECRET = "A2A_CLIENT_SECRET";

interface OpenTrial {
  trial: Trial;
  /** The agent, with everything that must not be shown among its secrets. */
  spec: AgentSpec;
}

/** Throws USAGE for settings that are wrong. */
export function openTrial(agent: AgentSpec, options: ConformanceOptions): OpenTrial {
  const settings = settingsOf(agent);
  if ("refused" in settings) throw new ProctorError("USAGE", settings.refused.message);
  if (isGrpc(settings.url)) {
    const message =
      "the rules begin with the agent's card, which gRPC does not serve\ngive the address of the card, a2a+http://…: the interfaces that it names are tried over gRPC, too";
    throw new ProctorError("USAGE", message);
  }
  const { environment = {}, signal, task = DEFAULT_TASK, timeoutMs } = options;
  const token = environment[INSUFFICIENT_TOKEN];
  const { [CLIENT_ID]: id, [CLIENT_SECRET]: secret = "" } = environment;
  const trial = createTrial({
    spec: agent,
    settings,
    timeoutMs,
    signal,
    task,
    ...(token !== undefined && { insufficientToken: token }),
    ...(id !== undefined && { client: { id, secret } }),
  });
  const hidden = { ...secretsOf(settings), ...(secret !== "" && { [CLIENT_SECRET]: secret }) };
  return { trial, spec: { ...agent, env: { ...agent.env, ...hidden } } };
}

export function subjectOf(endpoints: readonly Endpoint[]): ConformanceSubject {
  return {
    versions: [...new Set(endpoints.map(({ version }) => version))],
    bindings: [...new Set(endpoints.map(({ binding }) => binding))],
  };
}

export function isUnreachable(discovery: Discovery): boolean {
  return !discovery.ok && discovery.tried.some(({ error }) => error !== undefined && isGone(error));
}

/** Returns the values of the options that must not be shown. */
function secretsOf({ auth, tls }: A2aSettings): Record<string, string> {
  const values = Object.entries({ ...auth, ...tls });
  const secret = values.filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === "string" && /token|password|api_key|secret|private_key/.test(entry[0]),
  );
  return Object.fromEntries(secret);
}
