// Rules about credentials, and about tasks that are kept apart.
import { randomHex } from "../../../../core/random.ts";
import type { ClientAuth } from "../../client/auth/client-auth.ts";
import { NOBODY, type Attempt, type Identity } from "../caller.ts";
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
import { describeError, isFinding, isThere, taskIn } from "../judgement.ts";
import { METHODS } from "../../methods.ts";
import { below } from "../raw-request.ts";
import type { Trial } from "../trial.ts";

const TOGETHER = 8;

/** Credentials of the same kind as ours, and not ours. */
function spoiled({ auth, headers }: Identity): Identity {
  const wrong = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `${value}-wrong`]));
  const applied: ClientAuth = {
    renew: () => false,
    async apply(request, signal) {
      const before = { ...request.headers };
      await auth.apply(request, signal);
      for (const [name, value] of Object.entries(request.headers)) {
        if (before[name] !== value) request.headers[name] = `${value}-wrong`;
      }
      const hasAny =
        Object.keys(headers).length > 0 || Object.keys(request.headers).length > Object.keys(before).length;
      if (!hasAny) request.headers["authorization"] = "Bearer wrong";
    },
  };
  return { auth: applied, headers: wrong };
}

/** The plainest message, with other credentials. */
function askAs(trial: Trial, endpoint: Endpoint, as: Identity): Promise<Attempt<unknown>> {
  return trial.ask(endpoint, (service, call) => service.send({ message: trial.message() }, call), { as });
}

function refused(attempt: Attempt<unknown>): A2aFinding {
  const { error, transcript } = attempt;
  if (error === undefined)
    return broken("it was answered", transcript, { expected: "401", got: "an answer" });
  if (error.reason === "UNAUTHENTICATED" || error.reason === "PERMISSION_DENIED") return KEPT;
  return broken("it was refused for another reason", transcript, {
    expected: "401",
    got: describeError(attempt),
  });
}

function ofIdentity(identityOf: (trial: Trial) => Identity): Check {
  return (trial) =>
    overAll(trial, anyway, async (endpoint) => {
      const attempt = await askAs(trial, endpoint, identityOf(trial));
      return isThere(attempt) ? refused(attempt) : noOccasion(describeError(attempt), attempt.transcript);
    });
}

export const TRUST_CHECKS = {
  "a2a.auth.open": (trial) =>
    overAll(trial, anyway, async (endpoint) => {
      if (!isThere(await trial.plain(endpoint))) return noOccasion("nobody is there");
      const attempt = await askAs(trial, endpoint, NOBODY);
      const { error, transcript } = attempt;
      if (error?.reason !== "UNAUTHENTICATED" && error?.reason !== "PERMISSION_DENIED") return KEPT;
      return broken("it asks for credentials that its card does not mention", transcript, {
        expected: "an answer",
        got: describeError(attempt),
      });
    }),
  "a2a.auth.needed": ofIdentity(() => NOBODY),
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
        ...NOBODY,
        headers: { authorization: `Bearer ${token}` },
      });
      if (attempt.error?.reason === "PERMISSION_DENIED") return KEPT;
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
