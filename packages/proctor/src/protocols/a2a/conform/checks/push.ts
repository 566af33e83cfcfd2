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
import {
  anyway,
  broken,
  inVersion1,
  KEPT,
  noOccasion,
  overEach,
  type A2aFinding,
  type Check,
} from "../finding.ts";
import { describeError, isFinding, refusedWith, taskIn } from "../judgement.ts";
import type { Manner, Notification } from "../receiver.ts";
import { isNear, type Trial } from "../trial.ts";

const CREDENTIALS = "proctor-conform";

interface Created {
  config: PushConfig;
  id: string;
  taskId: string;
  attempt: Attempt<PushConfig>;
}

/** A configuration for the plain task, made once for each interface; another rule's finding where it cannot be made. */
function created(trial: Trial, endpoint: Endpoint, name = "kept"): Promise<Created | A2aFinding> {
  return trial.once(`push ${name} ${endpoint.name}`, async () => {
    const task = taskIn(await trial.plain(endpoint));
    if (isFinding(task)) return task;
    const url = (await trial.receiver()).url("well", `${name} ${endpoint.name}`);
    const config = { taskId: task.id, id: `proctor-${name}`, url, token: CREDENTIALS };
    const attempt = await trial.ask(endpoint, (service, call) => service.createPushConfig(config, call));
    const { value, transcript } = attempt;
    if (attempt.error?.reason === "INVALID_PARAMS" || attempt.error?.reason === "INVALID_REQUEST")
      return noOccasion(`it refuses a receiver on loopback: ${describeError(attempt)}`, transcript);
    if (value === undefined)
      return broken(`no configuration came about: ${describeError(attempt)}`, transcript);
    return { config: value, id: value.id ?? "", taskId: task.id, attempt };
  });
}

/** A rule about a configuration that exists. That it cannot be created is for the rule about creating. */
function ofCreated(
  check: (made: Created, endpoint: Endpoint, trial: Trial) => Promise<A2aFinding>,
  name?: string,
): Check {
  return (trial) =>
    overEach(trial, anyway, async (endpoint) => {
      const made = await created(trial, endpoint, name);
      if (isFinding(made)) return noOccasion(made.reason ?? "there is no configuration");
      if (made.id === "") return noOccasion("the configuration has no id");
      return check(made, endpoint, trial);
    });
}

interface Sent {
  attempt: Attempt<SendResult>;
  /** The first that arrived. */
  notification: Notification | undefined;
}

/** A plain message with a receiver in this manner. */
async function sendWith(trial: Trial, endpoint: Endpoint, manner: Manner): Promise<Sent | A2aFinding> {
  if (!isNear(trial.settings))
    return noOccasion("the agent is not on this machine, and cannot reach our receiver");
  const receiver = await trial.receiver();
  const url = receiver.url(manner, endpoint.name);
  const authentication = { scheme: "Bearer", credentials: CREDENTIALS };
  const taskPushNotificationConfig = { url, token: CREDENTIALS, authentication };
  const attempt = await trial.send(endpoint, {
    message: trial.message(),
    configuration: { taskPushNotificationConfig, returnImmediately: false },
  });
  if (attempt.value === undefined)
    return noOccasion(`it refuses a receiver on loopback: ${describeError(attempt)}`, attempt.transcript);
  if (attempt.value.task === undefined) return noOccasion("the agent keeps no task");
  if (manner !== "well") return { attempt, notification: undefined };
  const notification = await withinTime(trial.signal, trial.timeoutMs, (limit) => receiver.first(url, limit));
  return { attempt, notification };
}

/** A rule about the first notification of a plain task, over every interface. */
function ofNotification(
  check: (notification: Notification, sent: Sent, endpoint: Endpoint) => A2aFinding,
): Check {
  return (trial) =>
    overEach(trial, anyway, async (endpoint) => {
      const sent = await trial.once(`notified ${endpoint.name}`, () => sendWith(trial, endpoint, "well"));
      if (isFinding(sent)) return sent;
      const { notification, attempt } = sent;
      if (notification === undefined)
        return broken("no notification arrived", attempt.transcript, {
          expected: "a POST to the receiver",
          got: "nothing",
        });
      return check(notification, sent, endpoint);
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
  "a2a.push.create": (trial) =>
    overEach(trial, anyway, async (endpoint) => {
      const made = await created(trial, endpoint);
      if (isFinding(made)) return made;
      const { config, id, attempt } = made;
      if (id === "") return broken("the configuration has no id", attempt.transcript, { got: config });
      return config.url.includes("/well/")
        ? KEPT
        : broken("the configuration has another url", attempt.transcript, { got: config.url });
    }),
  "a2a.push.read": ofCreated(async ({ id, taskId, config }, endpoint, trial) => {
    const attempt = await trial.ask(endpoint, (service, call) => service.getPushConfig({ taskId, id }, call));
    if (attempt.value === undefined) return broken(describeError(attempt), attempt.transcript);
    const { url } = attempt.value;
    return url === config.url
      ? KEPT
      : broken("it is another configuration", attempt.transcript, { expected: config.url, got: url });
  }),
  "a2a.push.list": ofCreated(async ({ id, taskId }, endpoint, trial) => {
    const attempt = await trial.ask(endpoint, (service, call) => service.listPushConfigs({ taskId }, call));
    if (attempt.value === undefined) return broken(describeError(attempt), attempt.transcript);
    const ids = attempt.value.configs.map((config) => config.id ?? "");
    return ids.includes(id)
      ? KEPT
      : broken("the list lacks it", attempt.transcript, { expected: id, got: ids.join(", ") });
  }),
  "a2a.push.delete": ofCreated(async ({ id, taskId }, endpoint, trial) => {
    for (const _time of ["first", "second"]) {
      const attempt = await trial.ask(endpoint, (service, call) =>
        service.deletePushConfig({ taskId, id }, call),
      );
      if (attempt.error !== undefined)
        return broken(describeError(attempt), attempt.transcript, { expected: "no error, however often" });
    }
    const read = await trial.ask(endpoint, (service, call) => service.getPushConfig({ taskId, id }, call));
    return read.error !== undefined
      ? KEPT
      : broken("it is still there", read.transcript, { expected: "an error", got: read.value });
  }, "deleted"),
  "a2a.push.unknown": (trial) =>
    overEach(trial, anyway, async (endpoint) => {
      const url = (await trial.receiver()).url("well", "unknown");
      const config = { taskId: uuidV7(), id: "proctor", url };
      return refusedWith(
        await trial.ask(endpoint, (service, call) => service.createPushConfig(config, call)),
        "TASK_NOT_FOUND",
      );
    }),
  "a2a.push.delivered": ofNotification((notification, { attempt }, endpoint) => {
    const problem = payloadProblem(notification, endpoint);
    return problem === undefined
      ? KEPT
      : broken(`the notification is wrong: ${problem}`, attempt.transcript, {
          expected: endpoint.version === "1.0" ? "a StreamResponse" : "the task",
          got: notification.body,
        });
  }),
  "a2a.push.credentials": ofNotification(({ headers }, { attempt }, { version }) => {
    const isShown = headers["authorization"] === `Bearer ${CREDENTIALS}`;
    const isToken = version === "0.3" && headers["x-a2a-notification-token"] === CREDENTIALS;
    if (isShown || isToken) return KEPT;
    return broken("the notification has not its credentials", attempt.transcript, {
      expected: `Authorization: Bearer ${CREDENTIALS}`,
      got: headers["authorization"] ?? "none",
    });
  }),
  "a2a.push.trouble": (trial) =>
    overEach(trial, anyway, async (endpoint) => {
      const plain = taskIn(await trial.plain(endpoint));
      if (isFinding(plain)) return plain;
      for (const manner of ["fail", "redirect", "never"] as const) {
        const sent = await sendWith(trial, endpoint, manner);
        if (isFinding(sent)) return sent;
        const got = sent.attempt.value?.task?.status.state;
        if (got === plain.status.state) continue;
        return broken(
          `a receiver that answers ${MANNERS[manner]} changes the task`,
          sent.attempt.transcript,
          { expected: plain.status.state, got },
        );
      }
      return KEPT;
    }),
  "a2a.push.refused": (trial) =>
    overEach(trial, inVersion1, async (endpoint) => {
      const task = taskIn(await trial.plain(endpoint));
      if (isFinding(task)) return task;
      const config = { taskId: task.id, id: "proctor", url: "https://example.com/hook" };
      return refusedWith(
        await trial.ask(endpoint, (service, call) => service.createPushConfig(config, call)),
        "PUSH_NOTIFICATION_NOT_SUPPORTED",
      );
    }),
} satisfies Record<string, Check>;

const MANNERS = { fail: "with 500", redirect: "with a redirect", never: "nothing" };
