// Rules about limits, cancelling and secrets.
import { isJsonObject } from "../../../../core/json.ts";
import { possibleMetrics, tokensOf } from "../../../../core/metrics.ts";
import { randomHex } from "../../../../core/random.ts";
import { createRedactor } from "../../../../core/redact.ts";
import type { Exchange } from "../exchange.ts";
import { fail, judge, pass, showValue } from "../../../../conformance/finding.ts";
import type { Check, AtpFinding } from "../finding.ts";
import { describeSilence } from "../judgement.ts";
import type { Trial } from "../trial.ts";

const LIMIT_SECONDS = 1;
/** Milliseconds in which a program starts and gets into the middle of its task. */
const CANCEL_AFTER_MS = 500;

export const CONDUCT_CHECKS = {
  "atp.limit.timeout": async (trial) => {
    const allowedMs = LIMIT_SECONDS * 1000 + trial.graceMs;
    const request = trial.request({
      description: takingLong(trial),
      constraints: { timeout_seconds: LIMIT_SECONDS },
    });
    const exchange = await trial.send(request, { timeoutMs: allowedMs });
    return exchange.ended.overtime
      ? fail(
          `timeout_seconds was ${LIMIT_SECONDS}, and it still worked after ${allowedMs / 1000} s`,
          exchange,
        )
      : pass(exchange);
  },
  "atp.limit.tools": async (trial) => {
    const exchange = await trial.send(trial.request({ constraints: { allowed_tools: [] } }));
    const call = exchange.events.find((event) => event["event_type"] === "tool_call");
    return judge(exchange, [silent(exchange), call && `it called a tool: ${showValue(call["payload"])}`]);
  },
  "atp.limit.steps": (trial) => keeps(trial, "max_steps", "total_steps", 1),
  "atp.limit.tokens": (trial) => keeps(trial, "max_tokens", "tokens", 1),
  "atp.limit.budget": (trial) => keeps(trial, "budget_usd", "cost_usd", 0),
  "atp.cancel": cancelled,
  "atp.secret": secretsKept,
} satisfies Record<string, Check>;

function takingLong({ task }: Trial): string {
  return `Take at least one minute for this, then: ${task}`;
}

function silent(exchange: Exchange): string | undefined {
  return exchange.response === undefined ? describeSilence(exchange) : undefined;
}

/** Judges a low limit: a run that exceeds it must not be reported as done. */
async function keeps(
  trial: Trial,
  limit: string,
  metric: "total_steps" | "tokens" | "cost_usd",
  allowed: number,
): Promise<AtpFinding> {
  const exchange = await trial.send(trial.request({ constraints: { [limit]: allowed } }));
  const { status, metrics } = exchange.response ?? {};
  const known = isJsonObject(metrics) ? possibleMetrics(metrics) : {};
  const used = metric === "tokens" ? tokensOf(known) : known[metric];
  const exceeded = status === "completed" && used !== undefined && used > allowed;
  return judge(exchange, [
    silent(exchange),
    exceeded ? `${limit} was ${allowed}, and it completed with ${metric} ${used}` : undefined,
  ]);
}

/**
 * Judges a cancel by how the exchange ended, where the connection shows it; where cancelling breaks it off, by the agent's answer to the next task.
 */
async function cancelled(trial: Trial): Promise<AtpFinding> {
  const request = trial.request({ description: takingLong(trial) });
  const exchange = await trial.send(request, { cancelAfterMs: CANCEL_AFTER_MS, cancelByCall: true });
  const { leftover = 0, overtime, lingered, cancelled: asked, closeCode } = exchange.ended;
  const grace = `${trial.graceMs / 1000} s`;
  const finding = judge(exchange, [
    overtime && asked ? `it was cancelled, and still worked after ${grace}` : undefined,
    lingered && asked ? `it was cancelled, and did not end within ${grace}` : undefined,
    leftover > 0 ? `it left ${leftover} processes running` : undefined,
    trial.transport === "websocket" && closeCode !== undefined
      ? `it closed the socket with ${closeCode}`
      : undefined,
  ]);
  if (finding.outcome !== "pass" || trial.transport === "stdio") return finding;
  const next = await trial.send(trial.request());
  return next.response ? finding : fail(`after a cancelled task: ${describeSilence(next)}`, next);
}

/**
 * Sends secrets under the name of document 000's example too, because agents repeat what they use. Values that the user gave are looked for as well.
 */
async function secretsKept(trial: Trial): Promise<AtpFinding> {
  const value = `kept-${randomHex(12)}/+é`;
  const environment = { CONFORMANCE_SECRET: value, API_KEY: value, ...trial.environment };
  const redactor = createRedactor(Object.entries(environment).map(([name, value]) => ({ name, value })));
  for (const task of [{}, { description: undefined, input_data: {} }]) {
    const exchange = await trial.send(trial.request({ environment, task }), { environment });
    const leak = exchange.messages.find(({ text }) => redactor.text(text) !== text);
    if (leak === undefined) continue;
    return fail(
      `a value is in ${leak.kind === "other" ? "a log" : `a ${leak.kind}`} (${leak.channel})`,
      exchange,
    );
  }
  return pass();
}
