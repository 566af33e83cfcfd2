// Rules about credentials that are had as the card says: by OAuth's flows and OpenID Connect, with the client that the user named.
import type { Identity } from "../caller.ts";
import type { Endpoint } from "../endpoint.ts";
import { anyway, broken, KEPT, noOccasion, overAll, type A2aFinding, type Check } from "../finding.ts";
import { describeError, isThere, refusalOf } from "../judgement.ts";
import { askServer, clientToken, deviceToken, flowOf, objectIn, openIdUrlOf } from "../token-flows.ts";
import type { Trial } from "../trial.ts";
import { askAs, refused } from "./trust.ts";

const WELL_KNOWN = "/.well-known/openid-configuration";
/** What metadata must have (OpenID Connect Discovery 1.0, section 3). */
const METADATA = [
  "issuer",
  "authorization_endpoint",
  "jwks_uri",
  "response_types_supported",
  "subject_types_supported",
  "id_token_signing_alg_values_supported",
];

/** Shows a token to every interface that may see one. */
function withToken(
  trial: Trial,
  tokenOf: () => Promise<string | A2aFinding>,
  judge: (endpoint: Endpoint, as: Identity) => Promise<A2aFinding>,
): Promise<A2aFinding> {
  return overAll(trial, anyway, async (endpoint) => {
    if (!endpoint.mayHaveCredentials) return noOccasion("credentials do not go there");
    const token = await tokenOf();
    if (typeof token !== "string") return token;
    return judge(endpoint, { ...trial.nobody, headers: { authorization: `Bearer ${token}` } });
  });
}

async function accepted(trial: Trial, endpoint: Endpoint, as: Identity): Promise<A2aFinding> {
  const attempt = await askAs(trial, endpoint, as);
  const { transcript } = attempt;
  if (refusalOf(attempt) === undefined)
    return isThere(attempt) ? KEPT : noOccasion(describeError(attempt), transcript);
  return broken("good credentials are refused", transcript, {
    expected: "an answer",
    got: describeError(attempt),
  });
}

/** The flow of client credentials that the card has; a rule without it has no occasion. */
async function clientFlow(trial: Trial): Promise<ReturnType<typeof flowOf>> {
  const { card } = await trial.found();
  return card && flowOf(card, "clientCredentials");
}

const NO_FLOW = noOccasion("the card has no such flow");

export const TOKEN_CHECKS = {
  "a2a.auth.accepted": (trial) =>
    overAll(trial, anyway, async (endpoint) => {
      const { auth, headers, tls } = trial.settings;
      if (auth === undefined && tls?.cert === undefined && Object.keys(headers).length === 0)
        return noOccasion(
          "no credentials were given: --header, or options.auth and options.tls of the agent",
        );
      if (!endpoint.mayHaveCredentials) return noOccasion("credentials do not go there");
      return accepted(trial, endpoint, trial.identity);
    }),
  "a2a.auth.oidc": async (trial) => {
    const { card } = await trial.found();
    const address = card && openIdUrlOf(card);
    if (address === undefined) return NO_FLOW;
    const answer = await askServer(trial, address);
    if ("outcome" in answer) return answer;
    const metadata = objectIn(answer);
    const missing = METADATA.filter((name) => metadata[name] === undefined);
    if (answer.status !== 200 || missing.length > 0)
      return broken("its address of OpenID Connect has no metadata", answer, {
        expected: `200 with ${METADATA.join(", ")}`,
        got: answer.status === 200 ? `200 without ${missing.join(", ")}` : (answer.status ?? "no answer"),
      });
    const { issuer, token_endpoint: tokenUrl, grant_types_supported: grants } = metadata;
    if (typeof issuer !== "string" || `${issuer.replace(/\/$/, "")}${WELL_KNOWN}` !== address)
      return broken("the metadata is that of another issuer", answer, { expected: address, got: issuer });
    const takesClients = Array.isArray(grants) && grants.includes("client_credentials");
    if (trial.client === undefined || !takesClients || typeof tokenUrl !== "string") return KEPT;
    const { needed = [] } = (await clientFlow(trial)) ?? {};
    return withToken(
      trial,
      () => clientToken(trial, tokenUrl, needed),
      (endpoint, as) => accepted(trial, endpoint, as),
    );
  },
  "a2a.auth.oauth": async (trial) => {
    const flow = await clientFlow(trial);
    if (flow === undefined) return NO_FLOW;
    return withToken(
      trial,
      () => clientToken(trial, flow.tokenUrl, flow.needed),
      (endpoint, as) => accepted(trial, endpoint, as),
    );
  },
  "a2a.auth.device": async (trial) => {
    const { card } = await trial.found();
    const flow = card && flowOf(card, "deviceCode");
    if (flow === undefined) return NO_FLOW;
    return withToken(
      trial,
      () => deviceToken(trial, flow),
      (endpoint, as) => accepted(trial, endpoint, as),
    );
  },
  "a2a.auth.forged": async (trial) => {
    const flow = await clientFlow(trial);
    if (flow === undefined) return NO_FLOW;
    return withToken(
      trial,
      async () => forged(await clientToken(trial, flow.tokenUrl, flow.needed)),
      async (endpoint, as) => refused(await askAs(trial, endpoint, as)),
    );
  },
  "a2a.auth.scopes": async (trial) => {
    const flow = await clientFlow(trial);
    if (flow === undefined) return NO_FLOW;
    const [other] = flow.spare;
    if (other === undefined || flow.needed.length === 0)
      return noOccasion("the card names no scope that it does not require, or requires none");
    return withToken(
      trial,
      () => clientToken(trial, flow.tokenUrl, [other]),
      async (endpoint, as) => {
        const attempt = await askAs(trial, endpoint, as);
        const refusal = refusalOf(attempt);
        if (refusal === 403) return KEPT;
        if (refusal === undefined && !isThere(attempt))
          return noOccasion(describeError(attempt), attempt.transcript);
        return broken(`a token for ${other} alone is not refused as not allowed`, attempt.transcript, {
          expected: "403",
          got: attempt.error === undefined ? "an answer" : describeError(attempt),
        });
      },
    );
  },
} satisfies Record<string, Check>;

/** The same token with another signature: the first character of its last part is another one. */
function forged(token: string | A2aFinding): string | A2aFinding {
  if (typeof token !== "string") return token;
  const at = token.lastIndexOf(".") + 1;
  return `${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`;
}
