// Rules about credentials, and about tasks that are kept apart.
import { randomHex } from "../../../../core/random.ts";
import type { ClientAuth } from "../../client/auth/client-auth.ts";
import type { Attempt, Identity } from "../caller.ts";
import type { Endpoint } from "../endpoint.ts";
import { findingOf } from "../../../../conformance/demand.ts";
import { anyway, assume, demand, overAll, overHttp, overOne, type Check } from "../finding.ts";
import { describeError, isThere, refusalOf, taskIn } from "../judgement.ts";
import { METHODS } from "../../methods.ts";
import { below } from "../raw-request.ts";
import type { Trial } from "../trial.ts";

const TOGETHER = 8;

/** Returns credentials of the same kind as ours that are wrong, wherever they are sent. */
function spoiled({ auth, headers }: Identity): Identity {
  const wrong = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, spoil(value)]));
  const ca = auth.tls?.ca;
  const applied: ClientAuth = {
    renew: () => false,
    // A certificate other than ours cannot be made, because no authority would sign it: the call has none.
    ...(ca !== undefined && { tls: { ca } }),
    async apply(request, signal) {
      const before = { ...request.headers };
      const query = new URLSearchParams(request.url.searchParams);
      await auth.apply(request, signal);
      let hasAny = Object.keys(headers).length > 0;
      for (const [name, value] of Object.entries(request.headers)) {
        if (before[name] === value) continue;
        request.headers[name] = spoil(value);
        hasAny = true;
      }
      for (const [name, value] of new URLSearchParams(request.url.searchParams)) {
        if (query.get(name) === value) continue;
        request.url.searchParams.set(name, spoil(value));
        hasAny = true;
      }
      if (!hasAny) request.headers["authorization"] = "Bearer wrong";
    },
  };
  return { auth: applied, headers: wrong };
}

/** Spoils a user and a password inside their base64, since decoders ignore what follows the padding. */
function spoil(value: string): string {
  const [, pair] = /^Basic +(\S+)$/i.exec(value) ?? [];
  if (pair === undefined) return `${value}-wrong`;
  const spoiledPair = `${Buffer.from(pair, "base64").toString()}-wrong`;
  return `Basic ${Buffer.from(spoiledPair).toString("base64")}`;
}

/** Sends the plainest message with other credentials. */
export function askAs(trial: Trial, endpoint: Endpoint, as: Identity): Promise<Attempt<unknown>> {
  return trial.ask(endpoint, (service, call) => service.send({ message: trial.message() }, call), { as });
}

/** Demands that a request is refused for its credentials. */
export function demandNoEntry(attempt: Attempt<unknown>): void {
  const { error, transcript } = attempt;
  const refusal = refusalOf(attempt);
  assume(refusal !== undefined || isThere(attempt), describeError(attempt), transcript);
  demand(error !== undefined, "it was answered", transcript, { expected: "401", got: "an answer" });
  demand(refusal !== undefined, "it was refused for another reason", transcript, {
    expected: "401",
    got: describeError(attempt),
  });
}

/** Where a certificate is required, a client without one gets no answer at all, though others do. */
async function isShutOut(
  trial: Trial,
  endpoint: Endpoint,
  { error, transcript }: Attempt<unknown>,
): Promise<boolean> {
  if (error === undefined || transcript.status !== undefined || !(await asksForCertificate(trial)))
    return false;
  return trial.settings.tls?.cert !== undefined && isThere(await trial.plain(endpoint));
}

async function asksForCertificate(trial: Trial): Promise<boolean> {
  const { card } = await trial.found();
  const schemes = Object.values(card?.securitySchemes ?? {});
  return schemes.some((scheme) => scheme["mtlsSecurityScheme"] !== undefined);
}

function ofIdentity(identityOf: (trial: Trial) => Identity): Check {
  return overAll(anyway, async (endpoint, trial) => {
    const attempt = await askAs(trial, endpoint, identityOf(trial));
    if (!(await isShutOut(trial, endpoint, attempt))) demandNoEntry(attempt);
  });
}

export const TRUST_CHECKS = {
  "a2a.auth.open": overAll(anyway, async (endpoint, trial) => {
    assume(isThere(await trial.plain(endpoint)), "nobody is there");
    const attempt = await askAs(trial, endpoint, trial.nobody);
    const reason = "it asks for credentials that its card does not mention";
    demand(refusalOf(attempt) === undefined, reason, attempt.transcript, {
      expected: "an answer",
      got: describeError(attempt),
    });
  }),
  "a2a.auth.needed": ofIdentity(({ nobody }) => nobody),
  "a2a.auth.wrong": ofIdentity(({ identity }) => spoiled(identity)),
  "a2a.auth.challenge": overAll(overHttp, async (endpoint, trial) => {
    const isRpc = endpoint.binding === "JSONRPC";
    const method = METHODS[endpoint.version].getTask;
    const transcript = await trial.raw({
      url: isRpc ? endpoint.url : below(endpoint, "/tasks/proctor"),
      ...(isRpc && {
        method: "POST",
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { id: "proctor" } }),
      }),
      headers: { "content-type": "application/json", ...trial.headersFor(endpoint) },
    });
    const { status, answered } = transcript;
    assume(status === 401, `the status is ${status ?? "none"}`, transcript);
    demand(answered?.["www-authenticate"] !== undefined, "401 has no challenge", transcript, {
      expected: "WWW-Authenticate",
      got: "no such header",
    });
  }),
  "a2a.auth.card": (trial) =>
    findingOf(async () => {
      const { discovery } = await trial.found();
      assume(discovery.ok, "there is no card");
      const headers = { accept: "application/json", "a2a-version": "1.0" };
      const transcript = await trial.raw({ url: discovery.url, headers });
      const { status: got } = transcript;
      const isConnected = got !== undefined || !(await asksForCertificate(trial));
      assume(isConnected, "nobody without a certificate is connected", transcript);
      demand(got === 200, "the card is not public", transcript, { expected: "200", got });
    }),
  "a2a.auth.scope": overAll(anyway, async (endpoint, trial) => {
    const { insufficientToken: token } = trial;
    assume(token !== undefined, "no such token was given: --env A2A_INSUFFICIENT_TOKEN=…");
    assume(endpoint.mayHaveCredentials, "credentials do not go there");
    const headers = { authorization: `Bearer ${token}` };
    const attempt = await askAs(trial, endpoint, { ...trial.nobody, headers });
    demand(refusalOf(attempt) === 403, "it is not refused as not allowed", attempt.transcript, {
      expected: "403",
      got: describeError(attempt),
    });
  }),
  "a2a.tasks.concurrent": overOne(async (endpoint, trial) => {
    const attempts = await Promise.all(
      Array.from({ length: TOGETHER }, (_, index) => {
        const text = `${trial.task} (${index + 1} of ${TOGETHER} at once)`;
        return trial.send(endpoint, { message: trial.message(text) });
      }),
    );
    const ids: string[] = [];
    for (const attempt of attempts) {
      const { error, timedOut, transcript } = attempt;
      const why = describeError(attempt);
      const isBusy = timedOut || error?.reason === "RESOURCE_EXHAUSTED";
      assume(!isBusy, `too busy for ${TOGETHER} at once: ${why}`, transcript);
      demand(error === undefined, `one of ${TOGETHER} tasks at once failed: ${why}`, transcript);
      const { id } = taskIn(attempt);
      demand(!ids.includes(id), "two tasks at the same time have the same id", transcript, { got: id });
      ids.push(id);
    }
  }),
  "a2a.tasks.apart": overOne(async (endpoint, trial) => {
    const word = `kolibri${randomHex(4)}`;
    const ask = async (text: string) => {
      const attempt = await trial.send(endpoint, { message: trial.message(text) });
      const why = `it does not answer: ${describeError(attempt)}`;
      assume(attempt.value !== undefined, why, attempt.transcript);
      return attempt;
    };
    await ask(`Remember this word: ${word}`);
    const { value, transcript } = await ask("Which word were you told to remember?");
    demand(!JSON.stringify(value).includes(word), "a word from another context came back", transcript, {
      expected: "an answer without it",
      got: word,
    });
  }),
} satisfies Record<string, Check>;
