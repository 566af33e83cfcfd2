// Rules about the form of errors in each binding.
import { ConnectError } from "@connectrpc/connect";
import { uuidV7 } from "../../../../core/id.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../core/json.ts";
import { PATCH_LEVELS, statusOf, type A2aReason } from "../../errors.ts";
import { METHODS } from "../../methods.ts";
import type { Attempt } from "../caller.ts";
import type { Endpoint } from "../endpoint.ts";
import { findingOf, end } from "../../../../conformance/demand.ts";
import {
  assume,
  both,
  demand,
  inVersion1,
  overEach,
  overGrpc,
  overJsonRpc,
  overRest,
  worst,
  type Check,
} from "../finding.ts";
import { describeError, taskIn } from "../judgement.ts";
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

/** Makes a rule about a body that has to be answered with a code of JSON-RPC. */
function coded(code: number, bodies: (endpoint: Endpoint) => readonly string[]): Check {
  return overEach(overJsonRpc, async (endpoint, trial) => {
    for (const body of bodies(endpoint)) {
      const transcript = await post(trial, endpoint, body);
      const got = errorOf(transcript)["code"] ?? `status ${transcript.status ?? "none"}`;
      demand(got === code, "it is answered with another code", transcript, { expected: String(code), got });
    }
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

/** Provokes errors that any agent can be brought to give, by their reason. */
async function refusals(trial: Trial, endpoint: Endpoint): Promise<Attempt<unknown>[]> {
  return trial.once(`refusals ${endpoint.name}`, async () => {
    const unknown = await trial.getTask(endpoint, uuidV7());
    const { task } = (await trial.plain(endpoint)).value ?? {};
    return task === undefined ? [unknown] : [unknown, await trial.cancelTask(endpoint, task.id)];
  });
}

/** Makes a rule about the form of errors in a binding. Whether it is the right error is another rule's. */
function ofRefusals(
  isTried: (endpoint: Endpoint) => boolean,
  check: (reason: A2aReason, attempt: Attempt<unknown>) => void,
): Check {
  return overEach(both(inVersion1, isTried), async (endpoint, trial) => {
    const findings = (await refusals(trial, endpoint)).flatMap((attempt) => {
      const { error } = attempt;
      return error === undefined ? [] : [findingOf<Transcript>(() => check(error.reason, attempt))];
    });
    end(worst(await Promise.all(findings)));
  });
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
  "a2a.rpc.envelope": overEach(overJsonRpc, async (endpoint, trial) => {
    const { transcript } = await trial.plain(endpoint);
    for (const each of [transcript, await post(trial, endpoint, getUnknown(endpoint, 1))]) {
      const problem = envelopeProblem(each);
      demand(problem === undefined, problem ?? "", each);
    }
  }),
  "a2a.rpc.id": overEach(overJsonRpc, async (endpoint, trial) => {
    for (const id of ["a text", 0, 123_456_789]) {
      const transcript = await post(trial, endpoint, getUnknown(endpoint, id));
      const body = jsonOf(transcript);
      const got = isJsonObject(body) ? body["id"] : undefined;
      demand(got === id, "the answer has another id", transcript, {
        expected: JSON.stringify(id),
        got: got ?? "none",
      });
    }
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
  "a2a.rpc.batch": overEach(overJsonRpc, async (endpoint, trial) => {
    const batch = `[${getUnknown(endpoint, 1)},${getUnknown(endpoint, 2)}]`;
    const transcript = await post(trial, endpoint, batch);
    const body = jsonOf(transcript);
    const isAnswered = Array.isArray(body) || (isJsonObject(body) && isJsonObject(body["error"]));
    demand(isAnswered, "a batch is not answered", transcript, {
      expected: "an error, or a list",
      got: `${transcript.status ?? "nothing"}`,
    });
  }),
  "a2a.rpc.notification": overEach(overJsonRpc, async (endpoint, trial) => {
    const { id } = taskIn(await trial.plain(endpoint));
    const method = METHODS[endpoint.version].getTask;
    const transcript = await post(
      trial,
      endpoint,
      JSON.stringify({ jsonrpc: "2.0", method, params: { id } }),
    );
    const answer = jsonOf(transcript);
    const hasResult = isJsonObject(answer) && answer["result"] !== undefined;
    demand(!hasResult, "it got a result", transcript, { expected: "no body, or an error" });
  }),
  "a2a.rpc.info": ofRefusals(overJsonRpc, (_reason, { transcript }) => {
    const got = errorOf(transcript);
    const problem = infoProblem(got["data"]);
    const expected = "error.data with an ErrorInfo";
    demand(problem === undefined, problem ?? "", transcript, { expected, got });
  }),
  "a2a.http.error": ofRefusals(overRest, (_reason, { transcript }) => {
    const { code, status, message, details } = errorOf(transcript);
    const isWhole = typeof code === "number" && typeof status === "string" && typeof message === "string";
    const problem = isWhole ? infoProblem(details) : "error has not code, status and message";
    demand(problem === undefined, problem ?? "", transcript, {
      expected: "{error: {code, status, message, details}}",
      got: jsonOf(transcript) ?? transcript.received,
    });
  }),
  "a2a.http.status": ofRefusals(overRest, (reason, { transcript }) => {
    const allowed = PATCH_LEVELS.map((patch) => statusOf(reason, patch).status);
    demand(allowed.includes(transcript.status ?? 0), `${reason} has another status`, transcript, {
      expected: [...new Set(allowed)].join(" or "),
      got: transcript.status,
    });
  }),
  "a2a.http.media": overEach(both(inVersion1, overRest), async (endpoint, trial) => {
    const { transcript } = await trial.plain(endpoint);
    const got = transcript.answered?.["content-type"] ?? "none";
    const isRight = /^application\/(a2a\+)?json\s*(;|$)/i.test(got);
    demand(isRight, "the answer has another type", transcript, { expected: "application/a2a+json", got });
  }),
  "a2a.grpc.status": ofRefusals(overGrpc, (reason, attempt) => {
    const got = codeOf(attempt);
    const allowed = PATCH_LEVELS.map((patch) => statusOf(reason, patch));
    assume(got !== undefined, describeError(attempt), attempt.transcript);
    const isRight = allowed.some(({ grpc }) => grpc === got);
    const expected = [...new Set(allowed.map(({ grpcName }) => grpcName))].join(" or ");
    demand(isRight, `${reason} has another status`, attempt.transcript, { expected, got });
  }),
  "a2a.grpc.info": ofRefusals(overGrpc, (_reason, { error, transcript }) => {
    const problem = infoProblem(
      error?.options.details === undefined ? undefined : [...error.options.details],
    );
    const expected = "status.details with an ErrorInfo";
    demand(problem === undefined, problem ?? "", transcript, { expected });
  }),
} satisfies Record<string, Check>;

function codeOf({ error }: Attempt<unknown>): number | undefined {
  return error?.cause instanceof ConnectError ? error.cause.code : undefined;
}
