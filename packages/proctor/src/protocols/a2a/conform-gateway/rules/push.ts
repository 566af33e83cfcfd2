// Rules about push notifications, for gateways whose card claims them.
import { createHttpClient } from "../../../../channels/http/client.ts";
import { randomHex } from "../../../../core/random.ts";
import { withinTime } from "../../../../runtime/time/within-time.ts";
import { assume, demand } from "../../conform/finding.ts";
import { answerOf, arrival } from "../findings.ts";
import type { GatewayRule } from "../gateway-rule.ts";
import { statusEvent } from "../scene.ts";

export const PUSH_RULES: readonly GatewayRule[] = [
  {
    id: "gateway.push",
    section: "3.1.7",
    level: "must",
    when: "push",
    version: "1.0",
    title: "brings push notifications to the client's address, with its token and the id that it knows",
    advice: "Pass the configuration on, or send notifications yourself; without either, do not claim them.",
    async examine({ begin, ask, trial }) {
      const { scene, task, inner } = await begin({ state: "TASK_STATE_WORKING" });
      const receiver = await trial.receiver();
      const url = receiver.url("well", scene.key);
      const token = `token-${randomHex(8)}`;
      const attempt = await ask((service, call) =>
        service.createPushConfig({ taskId: task.id, id: `push-${scene.key}`, url, token }, call),
      );
      const { transcript, error } = attempt;
      const why = `the gateway refuses an address on loopback: ${error?.message}`;
      assume(error?.reason !== "INVALID_PARAMS", why);
      answerOf(attempt, "the push configuration");
      const config = arrival(scene.pushConfigs[0], attempt, "the push configuration");
      const known = arrival(scene.tasks.get(inner), attempt, "the push configuration");
      const notification = await withinTime(trial.signal, trial.timeoutMs, async (limit) => {
        const headers = {
          "content-type": "application/a2a+json",
          ...(config.token !== undefined && { "x-a2a-notification-token": config.token }),
        };
        const content = JSON.stringify(statusEvent(known, "TASK_STATE_COMPLETED"));
        const sent = await createHttpClient().post(
          { url: new URL(config.url), headers, content, once: true },
          limit,
        );
        if (sent.kind === "answered") sent.answer.body.close();
        return receiver.first(url, limit);
      });
      demand(notification !== undefined, "the notification did not reach the client", transcript);
      const got = notification.headers["x-a2a-notification-token"];
      const isGiven = got === token;
      demand(isGiven, "the notification has another token", transcript, { expected: token, got });
      const isOurs = notification.body.includes(JSON.stringify(task.id));
      demand(isOurs, "the notification is about an id that the client does not know", transcript, {
        expected: task.id,
        got: notification.body.slice(0, 400),
      });
    },
  },
];
