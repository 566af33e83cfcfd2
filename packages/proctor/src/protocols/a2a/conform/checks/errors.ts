// Rules about the form of errors in each binding.
import { ConnectError } from "@connectrpc/connect";
import { uuidV7 } from "../../../../core/id.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../core/json.ts";
import { PATCH_LEVELS, statusOf, type A2aReason } from "../../errors.ts";
import { METHODS } from "../../methods.ts";
import type { Attempt } from "../caller.ts";
import type { Endpoint } from "../endpoint.ts";
import {
  broken,
  inVersion1,
  KEPT,
  noOccasion,
  overEach,
  overGrpc,
  overJsonRpc,
  overRest,
  worst,
  type A2aFinding,
  type Check,
} from "../finding.ts";
import { describeError, isFinding, taskIn } from "../judgement.ts";
import { jsonOf } from "../raw-request.ts";
import type { Transcript } from "../transcript.ts";
import type { Trial } from "../trial.ts";

export function post(
  trial: Trial,
  endpoint: Endpoint,
  body: string,
  headers: Record<string, string> = {},
): Promise<Transcript> {
  return trial.raw({
    url: endpoint.url,
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      ...trial.headersFor(endpoint),
      ...headers,
    },
    body,
    as: trial.identityFor(endpoint),
  });
}

const getUnknown = ({ version }: Endpoint, id: Json): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method: METHODS[version].getTask, params: { id: uuidV7() } });

function codeIn(transcript: Transcript): unknown {
  const body = jsonOf(transcript);
  return isJsonObject(body) && isJsonObject(body["error"]) ? body["error"]["code"] : undefined;
}

/** A body that has to be answered with a code of JSON-RPC. */
function coded(code: number, bodies: (endpoint: Endpoint) => readonly string[]): Check {
  return (trial) =>
    overEach(trial, overJsonRpc, async (endpoint) => {
      for (const body of bodies(endpoint)) {
        const transcript = await post(trial, endpoint, body);
        const got = codeIn(transcript);
        if (got !== code)
          return broken("it is answered with another code", transcript, {
            expected: String(code),
            got: got ?? `status ${transcript.status ?? "none"}`,
          });
      }
      return KEPT;
    });
}

function envelopeProblem(transcript: Transcript): string | undefined {
  const body = jsonOf(transcript);
  if (!isJsonObject(body)) return "the answer is no JSON object";
  if (body["jsonrpc"] !== "2.0") return 'jsonrpc is not "2.0"';
  const hasResult = body["result"] !== undefined;
  const hasError = body["error"] !== undefined && body["error"] !== null;
  return hasResult === hasError ? "the answer has not exactly one of result and error" : undefined;
}

/** Errors that any agent can be brought to give, by their reason. */
async function refusals(trial: Trial, endpoint: Endpoint): Promise<[A2aReason, Attempt<unknown>][]> {
  return trial.once(`refusals ${endpoint.name}`, async () => {
    const unknown = trial.ask(endpoint, (service, call) => service.getTask({ id: uuidV7() }, call));
    const task = taskIn(await trial.plain(endpoint));
    const all: [A2aReason, Attempt<unknown>][] = [["TASK_NOT_FOUND", await unknown]];
    if (isFinding(task)) return all;
    const cancel = await trial.ask(endpoint, (service, call) => service.cancelTask({ id: task.id }, call));
    return [...all, ["TASK_NOT_CANCELABLE", cancel]];
  });
}

/** A rule about errors as a binding writes them. Whether it is the right error is another rule's. */
function ofRefusals(
  isTried: (endpoint: Endpoint) => boolean,
  check: (reason: A2aReason, attempt: Attempt<unknown>) => A2aFinding,
): Check {
  return (trial) =>
    overEach(
      trial,
      (endpoint) => inVersion1(endpoint) && isTried(endpoint),
      async (endpoint) => {
        const findings = (await refusals(trial, endpoint)).flatMap(([, attempt]) =>
          attempt.error === undefined ? [] : [check(attempt.error.reason, attempt)],
        );
        return worst(findings);
      },
    );
}

const INFO = "type.googleapis.com/google.rpc.ErrorInfo";

function infoProblem(details: Json | undefined): string | undefined {
  const list = Array.isArray(details) ? details.filter(isJsonObject) : [];
  const info = list.find((detail) => detail["@type"] === INFO);
  if (info === undefined) return "there is no ErrorInfo";
  if (info["domain"] !== "a2a-protocol.org") return `its domain is ${JSON.stringify(info["domain"] ?? null)}`;
  return typeof info["reason"] === "string" ? undefined : "it has no reason";
}

const errorOf = (transcript: Transcript): JsonObject => {
  const body = jsonOf(transcript);
  return isJsonObject(body) && isJsonObject(body["error"]) ? body["error"] : {};
};

export const ERROR_CHECKS = {
  "a2a.rpc.envelope": (trial) =>
    overEach(trial, overJsonRpc, async (endpoint) => {
      const { transcript } = await trial.plain(endpoint);
      for (const each of [transcript, await post(trial, endpoint, getUnknown(endpoint, 1))]) {
        const problem = envelopeProblem(each);
        if (problem !== undefined) return broken(problem, each);
      }
      return KEPT;
    }),
  "a2a.rpc.id": (trial) =>
    overEach(trial, overJsonRpc, async (endpoint) => {
      for (const id of ["a text", 0, 123_456_789]) {
        const transcript = await post(trial, endpoint, getUnknown(endpoint, id));
        const body = jsonOf(transcript);
        const got = isJsonObject(body) ? body["id"] : undefined;
        if (got !== id)
          return broken("the answer has another id", transcript, {
            expected: JSON.stringify(id),
            got: got ?? "none",
          });
      }
      return KEPT;
    }),
  "a2a.rpc.parse": coded(-32700, () => ['{"jsonrpc":"2.0","id":1,"method":']),
  "a2a.rpc.request": coded(-32600, ({ version }) => [
    `{"id":1,"method":"${METHODS[version].getTask}","params":{"id":"x"}}`,
    '{"jsonrpc":"2.0","id":1,"params":{}}',
  ]),
  "a2a.rpc.method": coded(-32601, () => ['{"jsonrpc":"2.0","id":1,"method":"NoSuchMethod","params":{}}']),
  "a2a.rpc.params": coded(-32602, ({ version }) => [
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: METHODS[version].getTask, params: {} }),
  ]),
  "a2a.rpc.batch": (trial) =>
    overEach(trial, overJsonRpc, async (endpoint) => {
      const transcript = await post(
        trial,
        endpoint,
        `[${getUnknown(endpoint, 1)},${getUnknown(endpoint, 2)}]`,
      );
      const body = jsonOf(transcript);
      const isAnswered = Array.isArray(body) || (isJsonObject(body) && isJsonObject(body["error"]));
      return isAnswered
        ? KEPT
        : broken("a batch is not answered", transcript, {
            expected: "an error, or a list",
            got: `${transcript.status ?? "nothing"}`,
          });
    }),
  "a2a.rpc.notification": (trial) =>
    overEach(trial, overJsonRpc, async (endpoint) => {
      const task = taskIn(await trial.plain(endpoint));
      if (isFinding(task)) return task;
      const body = JSON.stringify({
        jsonrpc: "2.0",
        method: METHODS[endpoint.version].getTask,
        params: { id: task.id },
      });
      const transcript = await post(trial, endpoint, body);
      const answer = jsonOf(transcript);
      const hasResult = isJsonObject(answer) && answer["result"] !== undefined;
      return hasResult ? broken("it got a result", transcript, { expected: "no body, or an error" }) : KEPT;
    }),
  "a2a.rpc.info": ofRefusals(overJsonRpc, (_reason, { transcript }) => {
    const problem = infoProblem(errorOf(transcript)["data"]);
    return problem === undefined
      ? KEPT
      : broken(problem, transcript, { expected: "error.data with an ErrorInfo", got: errorOf(transcript) });
  }),
  "a2a.http.error": ofRefusals(overRest, (_reason, { transcript }) => {
    const error = errorOf(transcript);
    const { code, status, message, details } = error;
    const isWhole = typeof code === "number" && typeof status === "string" && typeof message === "string";
    const problem = isWhole ? infoProblem(details) : "error has not code, status and message";
    return problem === undefined
      ? KEPT
      : broken(problem, transcript, {
          expected: "{error: {code, status, message, details}}",
          got: jsonOf(transcript) ?? transcript.received,
        });
  }),
  "a2a.http.status": ofRefusals(overRest, (reason, { transcript }) => {
    const allowed = PATCH_LEVELS.map((patch) => statusOf(reason, patch).status);
    if (allowed.includes(transcript.status ?? 0)) return KEPT;
    return broken(`${reason} has another status`, transcript, {
      expected: [...new Set(allowed)].join(" or "),
      got: transcript.status,
    });
  }),
  "a2a.http.media": (trial) =>
    overEach(
      trial,
      (endpoint) => inVersion1(endpoint) && overRest(endpoint),
      async (endpoint) => {
        const { transcript } = await trial.plain(endpoint);
        const type = transcript.answered?.["content-type"] ?? "none";
        return /^application\/(a2a\+)?json\s*(;|$)/i.test(type)
          ? KEPT
          : broken("the answer has another type", transcript, {
              expected: "application/a2a+json",
              got: type,
            });
      },
    ),
  "a2a.grpc.status": ofRefusals(overGrpc, (reason, attempt) => {
    const code = codeOf(attempt);
    const allowed = PATCH_LEVELS.map((patch) => statusOf(reason, patch));
    if (code === undefined) return noOccasion(describeError(attempt), attempt.transcript);
    if (allowed.some(({ grpc }) => grpc === code)) return KEPT;
    return broken(`${reason} has another status`, attempt.transcript, {
      expected: [...new Set(allowed.map(({ grpcName }) => grpcName))].join(" or "),
      got: code,
    });
  }),
  "a2a.grpc.info": ofRefusals(overGrpc, (_reason, { error, transcript }) => {
    const problem = infoProblem(
      error?.options.details === undefined ? undefined : [...error.options.details],
    );
    return problem === undefined
      ? KEPT
      : broken(problem, transcript, { expected: "status.details with an ErrorInfo" });
  }),
} satisfies Record<string, Check>;

function codeOf({ error }: Attempt<unknown>): number | undefined {
  return error?.cause instanceof ConnectError ? error.cause.code : undefined;
}
