// Rules about the response to a plain, valid request.
import { isJsonObject } from "../../../../core/json.ts";
import { describeIssues } from "../../../../core/describe-issues.ts";
import { isSameTask } from "../../formats.ts";
import { atpMetrics } from "../../wire.ts";
import { ATP_STATUSES } from "../../wire-parts.ts";
import { artifactProblem } from "../artifact-content.ts";
import type { Exchange } from "../exchange.ts";
import { fail, judge, pass, showValue, unevaluated } from "../../../../conformance/finding.ts";
import type { Check, AtpFinding } from "../finding.ts";
import { describeSilence } from "../judgement.ts";

const REQUIRED = ["version", "task_id", "status", "artifacts", "metrics"];
const MAJOR_1 = /^1\.\d+$/;
/** Milliseconds after which a message over stdio counts as later: two pipes have no common order. */
const CLEARLY_LATER_MS = 100;

const UNREACHABLE = "check the address: its program must start here, its server must be listening";

type Response = NonNullable<Exchange["response"]>;

/** Wraps a check that cannot be evaluated without a response. */
function onResponse(look: (response: Response, exchange: Exchange) => AtpFinding): Check {
  return async (trial) => {
    const basic = await trial.basic();
    if (basic.response) return look(basic.response, basic);
    return unevaluated("there was no response to look at: see atp.response.given", basic);
  };
}

export const RESPONSE_CHECKS = {
  "atp.response.given": async (trial) => {
    const basic = await trial.basic();
    if (basic.response) return pass(basic);
    const finding = fail(describeSilence(basic), basic);
    return basic.ended.unreachable ? { ...finding, advice: UNREACHABLE, unreachable: true } : finding;
  },
  "atp.response.fields": onResponse((response, exchange) => {
    const missing = REQUIRED.filter((field) => response[field] === undefined);
    return missing.length === 0 ? pass(exchange) : fail(`missing: ${missing.join(", ")}`, exchange);
  }),
  "atp.response.version": onResponse(({ version }, exchange) =>
    judge(exchange, [versionProblem(version, "version")]),
  ),
  "atp.response.task_id": onResponse(({ task_id: id }, exchange) =>
    judge(exchange, [
      isSameTask(id, exchange.taskId)
        ? undefined
        : `task_id is ${showValue(id)}, the request had ${showValue(exchange.taskId)}`,
    ]),
  ),
  "atp.response.status": onResponse(({ status }, exchange) =>
    judge(exchange, [
      (ATP_STATUSES as readonly unknown[]).includes(status) ? undefined : `status is ${showValue(status)}`,
    ]),
  ),
  "atp.response.artifacts": onResponse(({ artifacts }, exchange) =>
    Array.isArray(artifacts)
      ? judge(exchange, artifacts.map(artifactProblem))
      : fail(`artifacts is ${showValue(artifacts)}`, exchange),
  ),
  "atp.response.metrics": onResponse(({ metrics }, exchange) => {
    if (!isJsonObject(metrics)) return fail(`metrics is ${showValue(metrics)}`, exchange);
    const issues = atpMetrics.safeParse(metrics).error?.issues ?? [];
    return judge(
      exchange,
      describeIssues(issues, metrics, "metrics").map(({ message }) => message),
    );
  }),
  "atp.response.single": onResponse((_, exchange) =>
    judge(exchange, [
      exchange.responses.length === 1 ? undefined : `${exchange.responses.length} responses came`,
    ]),
  ),
  "atp.response.last": onResponse((_, exchange) => {
    const { messages, ended } = exchange;
    const at = messages.findIndex(({ kind }) => kind === "response");
    const marginMs = ended.exitCode === undefined ? 0 : CLEARLY_LATER_MS;
    const answeredMs = messages[at]?.atMs ?? 0;
    const late = messages
      .slice(at + 1)
      .find(({ kind, atMs }) => kind === "event" && atMs >= answeredMs + marginMs);
    return judge(exchange, [
      late && `an event came ${Math.round(late.atMs - answeredMs)} ms after the response`,
    ]);
  }),
} satisfies Record<string, Check>;

export function versionProblem(version: unknown, where: string): string | undefined {
  return typeof version === "string" && MAJOR_1.test(version)
    ? undefined
    : `${where} is ${showValue(version)}`;
}
