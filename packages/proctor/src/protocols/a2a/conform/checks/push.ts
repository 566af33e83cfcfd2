// Rules about push notifications. The receiver is ours, on loopback, so that only agents on this machine can be tried in full.
import { uuidV7 } from "../../../../core/id.ts";
import { isJsonObject } from "../../../../core/json.ts";
import { withinTime } from "../../../../runtime/time/within-time.ts";
import { parseAny } from "../../../http-refusal.ts";
import { codecOf } from "../../codecs.ts";
import type { WireProblem } from "../../codec.ts";
import type { PushConfig, SendResult } from "../../model.ts";
import type { Attempt } from "../caller.ts";
import type { Endpoint } from "../endpoint.ts";
import { findingOf } from "../../../../conformance/demand.ts";
import { anyway, assume, demand, inVersion1, overEach, type Check } from "../finding.ts";
import { demandRefusal, describeError, taskIn, valueOf } from "../judgement.ts";
import type { Manner, Notification } from "../receiver.ts";
import { isNear, type Trial } from "../trial.ts";

const CREDENTIALS = "proctor-conform";

interface Created {
  config: PushConfig;
  id: string;
  taskId: string;
  attempt: Attempt<PushConfig>;
}

/** Creates a configuration for the plain task, once for each interface; failing to do so is another rule's finding. */
function created(trial: Trial, endpoint: Endpoint, name = "kept"): Promise<Created> {
  return trial.once(`push ${name} ${endpoint.name}`, async () => {
    const { id: taskId } = taskIn(await trial.plain(endpoint));
    const url = (await trial.receiver()).url("well", `${name} ${endpoint.name}`);
    const asked = { taskId, id: `proctor-${name}`, url, token: CREDENTIALS };
    const attempt = await trial.ask(endpoint, (service, call) => service.createPushConfig(asked, call));
    const { reason } = attempt.error ?? {};
    const isTaken = reason !== "INVALID_PARAMS" && reason !== "INVALID_REQUEST";
    assume(isTaken, `it refuses a receiver on loopback: ${describeError(attempt)}`, attempt.transcript);
    const config = valueOf(attempt, "no configuration came about");
    return { config, id: config.id ?? "", taskId, attempt };
  });
}

/** Makes a rule about a configuration that exists. That it cannot be created belongs to the rule about creating. */
function ofCreated(
  check: (made: Created, endpoint: Endpoint, trial: Trial) => Promise<void>,
  name?: string,
): Check {
  return overEach(anyway, async (endpoint, trial) => {
    const { reason } = await findingOf(async () => void (await created(trial, endpoint, name)));
    assume(reason === undefined, reason ?? "there is no configuration");
    const made = await created(trial, endpoint, name);
    assume(made.id !== "", "the configuration has no id");
    await check(made, endpoint, trial);
  });
}

interface Sent {
  attempt: Attempt<SendResult>;
  /** First notification that arrived. */
  notification: Notification | undefined;
}

/** Sends a plain message with a receiver that answers in this manner. */
async function sendWith(trial: Trial, endpoint: Endpoint, manner: Manner): Promise<Sent> {
  assume(isNear(trial.settings), "the agent is not on this machine, and cannot reach our receiver");
  const receiver = await trial.receiver();
  const url = receiver.url(manner, endpoint.name);
  const authentication = { scheme: "Bearer", credentials: CREDENTIALS };
  const taskPushNotificationConfig = { url, token: CREDENTIALS, authentication };
  const attempt = await trial.send(endpoint, {
    message: trial.message(),
    configuration: { taskPushNotificationConfig, returnImmediately: false },
  });
  const why = `it refuses a receiver on loopback: ${describeError(attempt)}`;
  assume(attempt.value !== undefined, why, attempt.transcript);
  assume(attempt.value.task !== undefined, "the agent keeps no task");
  if (manner !== "well") return { attempt, notification: undefined };
  const notification = await withinTime(trial.signal, trial.timeoutMs, (limit) => receiver.first(url, limit));
  return { attempt, notification };
}

/** Makes a rule about the first notification of a plain task, over every interface. */
function ofNotification(check: (notification: Notification, sent: Sent, endpoint: Endpoint) => void): Check {
  return overEach(anyway, async (endpoint, trial) => {
    const sent = await trial.once(`notified ${endpoint.name}`, () => sendWith(trial, endpoint, "well"));
    const { notification, attempt } = sent;
    demand(notification !== undefined, "no notification arrived", attempt.transcript, {
      expected: "a POST to the receiver",
      got: "nothing",
    });
    check(notification, sent, endpoint);
  });
}

function payloadProblem({ body }: Notification, { version }: Endpoint): string | undefined {
  const json = parseAny(body);
  if (!isJsonObject(json)) return "it is no JSON object";
  const problems: WireProblem[] = [];
  try {
    if (version === "1.0") codecOf("1.0").decodeFrame(json, problems);
    else codecOf("0.3").decodeResult("getTask", json, problems);
  } catch (error) {
    return error instanceof Error ? error.message : "it cannot be read";
  }
  return problems[0]?.message;
}

export const PUSH_CHECKS = {
  "a2a.push.create": overEach(anyway, async (endpoint, trial) => {
    const { config, id, attempt } = await created(trial, endpoint);
    demand(id !== "", "the configuration has no id", attempt.transcript, { got: config });
    const isOurs = config.url.includes("/well/");
    demand(isOurs, "the configuration has another url", attempt.transcript, { got: config.url });
  }),
  "a2a.push.read": ofCreated(async ({ id, taskId, config }, endpoint, trial) => {
    const attempt = await trial.ask(endpoint, (service, call) => service.getPushConfig({ taskId, id }, call));
    const seen = { expected: config.url, got: valueOf(attempt).url };
    demand(seen.got === seen.expected, "it is another configuration", attempt.transcript, seen);
  }),
  "a2a.push.list": ofCreated(async ({ id, taskId }, endpoint, trial) => {
    const attempt = await trial.ask(endpoint, (service, call) => service.listPushConfigs({ taskId }, call));
    const ids = valueOf(attempt).configs.map((config) => config.id ?? "");
    const seen = { expected: id, got: ids.join(", ") };
    demand(ids.includes(id), "the list lacks it", attempt.transcript, seen);
  }),
  "a2a.push.delete": ofCreated(async ({ id, taskId }, endpoint, trial) => {
    for (const _time of ["first", "second"]) {
      const attempt = await trial.ask(endpoint, (service, call) =>
        service.deletePushConfig({ taskId, id }, call),
      );
      const seen = { expected: "no error, however often" };
      demand(attempt.error === undefined, describeError(attempt), attempt.transcript, seen);
    }
    const read = await trial.ask(endpoint, (service, call) => service.getPushConfig({ taskId, id }, call));
    const seen = { expected: "an error", got: read.value };
    demand(read.error !== undefined, "it is still there", read.transcript, seen);
  }, "deleted"),
  "a2a.push.unknown": overEach(anyway, async (endpoint, trial) => {
    const url = (await trial.receiver()).url("well", "unknown");
    const config = { taskId: uuidV7(), id: "proctor", url };
    demandRefusal(
      await trial.ask(endpoint, (service, call) => service.createPushConfig(config, call)),
      "TASK_NOT_FOUND",
    );
  }),
  "a2a.push.delivered": ofNotification((notification, { attempt }, endpoint) => {
    const problem = payloadProblem(notification, endpoint);
    demand(problem === undefined, `the notification is wrong: ${problem}`, attempt.transcript, {
      expected: endpoint.version === "1.0" ? "a StreamResponse" : "the task",
      got: notification.body,
    });
  }),
  "a2a.push.credentials": ofNotification(({ headers }, { attempt }, { version }) => {
    const isShown = headers["authorization"] === `Bearer ${CREDENTIALS}`;
    const isToken = version === "0.3" && headers["x-a2a-notification-token"] === CREDENTIALS;
    demand(isShown || isToken, "the notification has not its credentials", attempt.transcript, {
      expected: `Authorization: Bearer ${CREDENTIALS}`,
      got: headers["authorization"] ?? "none",
    });
  }),
  "a2a.push.trouble": overEach(anyway, async (endpoint, trial) => {
    const expected = taskIn(await trial.plain(endpoint)).status.state;
    for (const manner of ["fail", "redirect", "never"] as const) {
      const { attempt } = await sendWith(trial, endpoint, manner);
      const got = attempt.value?.task?.status.state;
      const reason = `a receiver that answers ${MANNERS[manner]} changes the task`;
      demand(got === expected, reason, attempt.transcript, { expected, got });
    }
  }),
  "a2a.push.refused": overEach(inVersion1, async (endpoint, trial) => {
    const { id: taskId } = taskIn(await trial.plain(endpoint));
    const config = { taskId, id: "proctor", url: "https://example.com/hook" };
    demandRefusal(
      await trial.ask(endpoint, (service, call) => service.createPushConfig(config, call)),
      "PUSH_NOTIFICATION_NOT_SUPPORTED",
    );
  }),
} satisfies Record<string, Check>;

const MANNERS = { fail: "with 500", redirect: "with a redirect", never: "nothing" };
