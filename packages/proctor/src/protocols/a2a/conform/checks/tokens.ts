// Rules about credentials that are had as the card says: by OAuth's flows and OpenID Connect, with the client that the user named.
import type { Identity } from "../caller.ts";
import type { Endpoint } from "../endpoint.ts";
import { end, findingOf } from "../../../../conformance/demand.ts";
import { anyway, assume, demand, overAll, type Check } from "../finding.ts";
import { describeError, isThere, refusalOf } from "../judgement.ts";
import {
  askServer,
  clientToken,
  deviceToken,
  flowOf,
  objectIn,
  openIdUrlOf,
  type FlowKind,
  type TokenFlow,
} from "../token-flows.ts";
import type { Trial } from "../trial.ts";
import { askAs, demandNoEntry } from "./trust.ts";

const WELL_KNOWN = "/.well-known/openid-configuration";
/** Fields that metadata must have (OpenID Connect Discovery 1.0, section 3). */
const METADATA = [
  "issuer",
  "authorization_endpoint",
  "jwks_uri",
  "response_types_supported",
  "subject_types_supported",
  "id_token_signing_alg_values_supported",
];

type Judge = (endpoint: Endpoint, as: Identity, trial: Trial) => Promise<void>;

/** Shows a token to every interface that may see one. */
async function showToken(trial: Trial, tokenOf: () => Promise<string>, judge: Judge): Promise<never> {
  const check = overAll(anyway, async (endpoint) => {
    assume(endpoint.mayHaveCredentials, "credentials do not go there");
    const headers = { authorization: `Bearer ${await tokenOf()}` };
    await judge(endpoint, { ...trial.nobody, headers }, trial);
  });
  return end(await check(trial));
}

async function demandEntry(endpoint: Endpoint, as: Identity, trial: Trial): Promise<void> {
  const attempt = await askAs(trial, endpoint, as);
  const { transcript } = attempt;
  demand(refusalOf(attempt) === undefined, "good credentials are refused", transcript, {
    expected: "an answer",
    got: describeError(attempt),
  });
  assume(isThere(attempt), describeError(attempt), transcript);
}

/** Makes a rule about tokens by a flow that the card has; without it the rule does not apply. */
function ofFlow(kind: FlowKind, check: (flow: TokenFlow, trial: Trial) => Promise<void>): Check {
  return (trial) =>
    findingOf(async () => {
      const { card } = await trial.found();
      const flow = card && flowOf(card, kind);
      assume(flow !== undefined, NO_FLOW);
      await check(flow, trial);
    });
}

const NO_FLOW = "the card has no such flow";

export const TOKEN_CHECKS = {
  "a2a.auth.accepted": overAll(anyway, async (endpoint, trial) => {
    const { auth, headers, tls } = trial.settings;
    const hasAny = auth !== undefined || tls?.cert !== undefined || Object.keys(headers).length > 0;
    assume(hasAny, "no credentials were given: --header, or options.auth and options.tls of the agent");
    assume(endpoint.mayHaveCredentials, "credentials do not go there");
    await demandEntry(endpoint, trial.identity, trial);
  }),
  "a2a.auth.oidc": (trial) =>
    findingOf(async () => {
      const { card } = await trial.found();
      const address = card && openIdUrlOf(card);
      assume(card !== undefined && address !== undefined, NO_FLOW);
      const answer = await askServer(trial, address);
      const metadata = objectIn(answer);
      const missing = METADATA.filter((name) => metadata[name] === undefined);
      const isWhole = answer.status === 200 && missing.length === 0;
      demand(isWhole, "its address of OpenID Connect has no metadata", answer, {
        expected: `200 with ${METADATA.join(", ")}`,
        got: answer.status === 200 ? `200 without ${missing.join(", ")}` : (answer.status ?? "no answer"),
      });
      const { issuer, token_endpoint: tokenUrl, grant_types_supported: grants } = metadata;
      const isIssuers = typeof issuer === "string" && `${issuer.replace(/\/$/, "")}${WELL_KNOWN}` === address;
      const seen = { expected: address, got: issuer };
      demand(isIssuers, "the metadata is that of another issuer", answer, seen);
      const takesClients = Array.isArray(grants) && grants.includes("client_credentials");
      if (trial.client === undefined || !takesClients || typeof tokenUrl !== "string") return;
      const { needed = [] } = flowOf(card, "clientCredentials") ?? {};
      await showToken(trial, () => clientToken(trial, tokenUrl, needed), demandEntry);
    }),
  "a2a.auth.oauth": ofFlow("clientCredentials", ({ tokenUrl, needed }, trial) =>
    showToken(trial, () => clientToken(trial, tokenUrl, needed), demandEntry),
  ),
  "a2a.auth.device": ofFlow("deviceCode", (flow, trial) =>
    showToken(trial, () => deviceToken(trial, flow), demandEntry),
  ),
  "a2a.auth.forged": ofFlow("clientCredentials", ({ tokenUrl, needed }, trial) =>
    showToken(
      trial,
      async () => forged(await clientToken(trial, tokenUrl, needed)),
      async (endpoint, as) => demandNoEntry(await askAs(trial, endpoint, as)),
    ),
  ),
  "a2a.auth.scopes": ofFlow("clientCredentials", ({ tokenUrl, spare: [other], needed }, trial) => {
    const hasOther = other !== undefined && needed.length > 0;
    assume(hasOther, "the card names no scope that it does not require, or requires none");
    return showToken(
      trial,
      () => clientToken(trial, tokenUrl, [other]),
      async (endpoint, as) => {
        const attempt = await askAs(trial, endpoint, as);
        const { error, transcript } = attempt;
        const refusal = refusalOf(attempt);
        assume(refusal !== undefined || isThere(attempt), describeError(attempt), transcript);
        demand(refusal === 403, `a token for ${other} alone is not refused as not allowed`, transcript, {
          expected: "403",
          got: error === undefined ? "an answer" : describeError(attempt),
        });
      },
    );
  }),
} satisfies Record<string, Check>;

/** Returns the same token with another signature: the first character of its last part differs. */
function forged(token: string): string {
  const at = token.lastIndexOf(".") + 1;
  return `${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`;
}
