// Rules about malformed requests, and about the errors they are answered with.
import type { JsonObject } from "../../../../core/json.ts";
import { describeIssues } from "../../../../core/describe-issues.ts";
import { ATP_ERROR_CODES } from "../../errors.ts";
import { isSameTask } from "../../formats.ts";
import { atpResponse } from "../../wire.ts";
import type { Exchange } from "../exchange.ts";
import { judge, showValue, unevaluated } from "../../../../conformance/finding.ts";
import type { Check, AtpFinding } from "../finding.ts";
import { accepted, handled, refused } from "../judgement.ts";
import type { RequestChanges, Trial } from "../trial.ts";

const NOT_JSON = '{"version": "1.0", "task_id": oops';

function handles(...texts: string[]): Check {
  return (trial) => firstFailure(texts, async (text) => handled(await trial.send(text)));
}

/** Makes a check of requests, by what is wrong with each. */
function refuses(variants: Record<string, RequestChanges>): Check {
  return (trial) =>
    firstFailure(Object.entries(variants), async ([wrong, changes]) => {
      const finding = refused(await trial.send(trial.request(changes)));
      return finding.reason === undefined ? finding : { ...finding, reason: `${wrong}: ${finding.reason}` };
    });
}

async function firstFailure<T>(
  items: readonly T[],
  look: (item: T) => Promise<AtpFinding>,
): Promise<AtpFinding> {
  let finding: AtpFinding = { outcome: "pass" };
  for (const item of items) {
    finding = await look(item);
    if (finding.outcome !== "pass") return finding;
  }
  return finding;
}

export const INVALID_CHECKS = {
  "atp.invalid.json": handles(NOT_JSON),
  "atp.invalid.empty": async (trial) =>
    trial.transport === "grpc" ? refused(await trial.send({})) : handled(await trial.send("")),
  "atp.invalid.not_object": handles("[]", "null", '"hello"'),
  "atp.invalid.missing_task": refuses({ "no task": { top: { task: undefined } } }),
  "atp.invalid.missing_description": async (trial) => refused(await trial.refusal()),
  "atp.invalid.types": refuses({
    "description 42": { task: { description: 42 } },
    "a text as task": { top: { task: "say hello" } },
    'timeout_seconds "soon"': { constraints: { timeout_seconds: "soon" } },
    "a list as context": { top: { context: [] } },
  }),
  "atp.invalid.range": refuses({
    "an empty description": { description: "" },
    "timeout_seconds 0": { constraints: { timeout_seconds: 0 } },
  }),
  "atp.invalid.recovers": async (trial) => {
    const basic = await trial.basic();
    const connection = await trial.open();
    try {
      await connection.send(trial.transport === "grpc" ? {} : NOT_JSON);
      return accepted(await connection.send(trial.request()), basic);
    } finally {
      await connection.close();
    }
  },
  "atp.error.response": onFailed((response, exchange) => {
    const issues = atpResponse.safeParse(response).error?.issues ?? [];
    const { task_id: id } = response;
    return judge(exchange, [
      ...describeIssues(issues, response, "response").map(({ message }) => message),
      isSameTask(id, exchange.taskId)
        ? undefined
        : `task_id is ${showValue(id)}, the request had ${showValue(exchange.taskId)}`,
    ]);
  }),
  "atp.error.text": onFailed(({ error }, exchange) =>
    judge(exchange, [
      typeof error === "string" && error.trim() !== "" ? undefined : `error is ${showValue(error)}`,
    ]),
  ),
  "atp.error.code": onFailed(({ error_code: code }, exchange) =>
    judge(exchange, [
      code === "INVALID_REQUEST"
        ? undefined
        : `error_code is ${showValue(code)}${standard(code) ? "" : ", which is no standard code"}`,
    ]),
  ),
} satisfies Record<string, Check>;

/** Makes a check that looks at the response to a request without a description. */
function onFailed(look: (response: JsonObject, exchange: Exchange) => AtpFinding): Check {
  return async (trial: Trial) => {
    const exchange = await trial.refusal();
    const { response } = exchange;
    if (response?.["status"] === "failed") return look(response, exchange);
    return unevaluated("it gave no failed response: see atp.invalid.missing_description", exchange);
  };
}

function standard(code: unknown): boolean {
  return code === undefined || (ATP_ERROR_CODES as readonly unknown[]).includes(code);
}
