// Rules about credentials, and about tasks that are kept apart.
import { randomHex } from "../../../../core/random.ts";
import type { ClientAuth } from "../../client/auth/client-auth.ts";
import type { Attempt, Identity } from "../caller.ts";
import type { Endpoint } from "../endpoint.ts";
import {
  anyway,
  broken,
  KEPT,
  noOccasion,
  overAll,
  overHttp,
  preferred,
  type A2aFinding,
  type Check,
} from "../finding.ts";
import { describeError, isFinding, isThere, refusalOf, taskIn } from "../judgement.ts";
import { METHODS } from "../../methods.ts";
import { below } from "../raw-request.ts";
import type { Trial } from "../trial.ts";

const TOGETHER = 8;

/** Credentials of the same kind as ours, and not ours, wherever they stand. */
function spoiled({ auth, headers }: Identity): Identity {
  const wrong = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, spoil(value)]));
  const ca = auth.tls?.ca;
  const applied: ClientAuth = {
    renew: () => false,
    // Another certificate than ours is none: nobody has signed one for us.
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

/** What stands behind the padding of base64 is not looked at, so a user and a password are spoiled inside. */
function spoil(value: string): string {
  const [, pair] = /^Basic +(\S+)$/i.exec(value) ?? [];
  if (pair === undefined) return `${value}-wrong`;
  const spoiledPair = `${Buffer.from(pair, "base64").toString()}-wrong`;
  return `Basic ${Buffer.from(spoiledPair).toString("base64")}`;
}

/** The plainest message, with other credentials. */
export function askAs(trial: Trial, endpoint: Endpoint, as: Identity): Promise<Attempt<unknown>> {
  return trial.ask(endpoint, (service, call) => service.send({ message: trial.message() }, call), { as });
}

/** Whether a request was refused as it should be. */
export function refused(attempt: Attempt<unknown>): A2aFinding {
  const { error, transcript } = attempt;
  if (refusalOf(attempt) === undefined && !isThere(attempt))
    return noOccasion(describeError(attempt), transcript);
  if (error === undefined)
    return broken("it was answered", transcript, { expected: "401", got: "an answer" });
  if (refusalOf(attempt) !== undefined) return KEPT;
  return broken("it was refused for another reason", transcript, {
    expected: "401",
    got: describeError(attempt),
  });
}

/** Where a certificate is asked for, who has none gets no answer at all, though others do. */
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
  return (trial) =>
    overAll(trial, anyway, async (endpoint) => {
      const attempt = await askAs(trial, endpoint, identityOf(trial));
      return (await isShutOut(trial, endpoint, attempt)) ? KEPT : refused(attempt);
    });
}

export const TRUST_CHECKS = {
  "a2a.auth.open": (trial) =>
    overAll(trial, anyway, async (endpoint) => {
      if (!isThere(await trial.plain(endpoint))) return noOccasion("nobody is there");
      const attempt = await askAs(trial, endpoint, trial.nobody);
      const { transcript } = attempt;
      if (refusalOf(attempt) === undefined) return KEPT;
      return broken("it asks for credentials that its card does not mention", transcript, {
        expected: "an answer",
        got: describeError(attempt),
      });
    }),
  "a2a.auth.needed": ofIdentity(({ nobody }) => nobody),
  "a2a.auth.wrong": ofIdentity(({ identity }) => spoiled(identity)),
  "a2a.auth.challenge": (trial) =>
    overAll(trial, overHttp, async (endpoint) => {
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
      if (transcript.status !== 401)
        return noOccasion(`the status is ${transcript.status ?? "none"}`, transcript);
      return transcript.answered?.["www-authenticate"] === undefined
        ? broken("401 has no challenge", transcript, { expected: "WWW-Authenticate", got: "no such header" })
        : KEPT;
    }),
  "a2a.auth.card": async (trial) => {
    const { discovery } = await trial.found();
    if (!discovery.ok) return noOccasion("there is no card");
    const headers = { accept: "application/json", "a2a-version": "1.0" };
    const transcript = await trial.raw({ url: discovery.url, headers });
    if (transcript.status === undefined && (await asksForCertificate(trial)))
      return noOccasion("nobody without a certificate is connected", transcript);
    return transcript.status === 200
      ? KEPT
      : broken("the card is not public", transcript, { expected: "200", got: transcript.status });
  },
  "a2a.auth.scope": (trial) =>
    overAll(trial, anyway, async (endpoint) => {
      const { insufficientToken: token } = trial;
      if (token === undefined) return noOccasion("no such token was given: --env A2A_INSUFFICIENT_TOKEN=…");
      if (!endpoint.mayHaveCredentials) return noOccasion("credentials do not go there");
      const attempt = await askAs(trial, endpoint, {
        ...trial.nobody,
        headers: { authorization: `Bearer ${token}` },
      });
      if (refusalOf(attempt) === 403) return KEPT;
      return broken("it is not refused as not allowed", attempt.transcript, {
        expected: "403",
        got: describeError(attempt),
      });
    }),
  "a2a.tasks.concurrent": async (trial) => {
    const endpoint = await preferred(trial);
    if (isFinding(endpoint)) return endpoint;
    const texts = Array.from(
      { length: TOGETHER },
      (_, index) => `${trial.task} (${index + 1} of ${TOGETHER} at once)`,
    );
    const attempts = await Promise.all(
      texts.map((text) => trial.send(endpoint, { message: trial.message(text) })),
    );
    const ids: string[] = [];
    for (const attempt of attempts) {
      if (attempt.timedOut || attempt.error?.reason === "RESOURCE_EXHAUSTED")
        return noOccasion(`too busy for ${TOGETHER} at once: ${describeError(attempt)}`, attempt.transcript);
      if (attempt.error !== undefined)
        return broken(
          `one of ${TOGETHER} tasks at once failed: ${describeError(attempt)}`,
          attempt.transcript,
        );
      const task = taskIn(attempt);
      if (isFinding(task)) return task;
      if (ids.includes(task.id))
        return broken("two tasks at the same time have the same id", attempt.transcript, { got: task.id });
      ids.push(task.id);
    }
    return KEPT;
  },
  "a2a.tasks.apart": async (trial) => {
    const endpoint = await preferred(trial);
    if (isFinding(endpoint)) return endpoint;
    const word = `kolibri${randomHex(4)}`;
    const told = await trial.send(endpoint, { message: trial.message(`Remember this word: ${word}`) });
    if (told.value === undefined)
      return noOccasion(`it does not answer: ${describeError(told)}`, told.transcript);
    const asked = await trial.send(endpoint, {
      message: trial.message("Which word were you told to remember?"),
    });
    if (asked.value === undefined)
      return noOccasion(`it does not answer: ${describeError(asked)}`, asked.transcript);
    if (!JSON.stringify(asked.value).includes(word)) return KEPT;
    return broken("a word from another context came back", asked.transcript, {
      expected: "an answer without it",
      got: word,
    });
  },
} satisfies Record<string, Check>;
