// What an agent sends to a webhook (A2A 1.0, section 4.3.3): notifications about one task, each an event of a stream.
import { isJsonObject, type Json } from "../../../core/json.ts";
import { withinTime } from "../../../runtime/time/within-time.ts";
import { parseAny } from "../../http-refusal.ts";
import type { Notification } from "../conform/receiver.ts";
import { inLowerCase, match, mismatch, type Mismatch } from "./match.ts";
import type { StepContext } from "./step-context.ts";
import type { StepOf } from "./step-schema.ts";
import { viewOf } from "./stream-rules.ts";
import { skipped, verdictOf, type Verdict } from "./verdict.ts";

const DEFAULT_TIMEOUT_MS = 10_000;
const TOKEN_HEADER = "x-a2a-notification-token";

type ExpectWebhook = StepOf<"webhook">["expect_webhook"];
interface Delivery {
  headers: Notification["headers"];
  view: Json;
}

export async function awaitWebhook(
  expected: ExpectWebhook,
  { trial, webhookUrl }: StepContext,
): Promise<{ verdict: Verdict; response: Json }> {
  if (webhookUrl === undefined) {
    return {
      verdict: skipped("the agent is not on this machine, and cannot reach our receiver"),
      response: [],
    };
  }
  const { task_id: taskId, timeout_ms: timeoutMs = DEFAULT_TIMEOUT_MS } = expected;
  const ofTask = (all: readonly Notification[]): Delivery[] =>
    all.map(deliveryOf).filter(({ view }) => isAbout(view, taskId));
  const receiver = await trial.receiver();
  // What must arrive in the end has its time, however many notifications come before it.
  const arrived = await withinTime(trial.signal, timeoutMs, (limit) =>
    receiver.until(webhookUrl, (all) => isEnough(expected, ofTask(all)), limit),
  );
  const deliveries = ofTask(arrived);
  return { verdict: verdictOf(judge(expected, deliveries)), response: deliveries.map(({ view }) => view) };
}

function deliveryOf({ headers, body }: Notification): Delivery {
  return { headers, view: viewOf(parseAny(body) ?? body) };
}

function isAbout(view: Json, taskId: string): boolean {
  if (!isJsonObject(view)) return false;
  return view["taskId"] === taskId || (view["task"] !== undefined && view["id"] === taskId);
}

function isEnough(expected: ExpectWebhook, deliveries: readonly Delivery[]): boolean {
  const { min_count: least = 1, final_event: last } = expected;
  if (deliveries.length < least) return false;
  return last === undefined || match(last, deliveries.at(-1)?.view) === undefined;
}

function judge(expected: ExpectWebhook, deliveries: readonly Delivery[]): Mismatch | undefined {
  const { min_count: least = 1, each_event: each, final_event: last, headers, token } = expected;
  if (deliveries.length < least)
    return mismatch("notifications", `at least ${least} about the task`, deliveries.length);
  for (const [index, { headers: sent, view }] of deliveries.entries()) {
    const at = `notifications[${index}]`;
    const wrong =
      (each === undefined ? undefined : match(each, view, at)) ??
      (headers === undefined ? undefined : match(inLowerCase(headers), { ...sent }, `${at}.headers`)) ??
      (token === undefined ? undefined : match(token, sent[TOKEN_HEADER], `${at}.token`));
    if (wrong) return wrong;
  }
  return last === undefined ? undefined : match(last, deliveries.at(-1)?.view, "final_event");
}
