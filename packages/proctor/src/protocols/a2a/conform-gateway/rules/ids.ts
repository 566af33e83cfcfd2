// Rules about ids: a gateway may have its own, as long as each leads to the same thing.
import type { Attempt } from "../../conform/caller.ts";
import { assume, demand } from "../../conform/finding.ts";
import { answerOf, arrival, arrivedAt, demandSame, messageAt } from "../findings.ts";
import type { GatewayRule } from "../gateway-rule.ts";

export const ID_RULES: readonly GatewayRule[] = [
  {
    id: "gateway.context.kept",
    section: "3.4.1",
    level: "must",
    title: "keeps a context together: its messages arrive in one context upstream",
    advice: "Map a context of the client to one context of the upstream, and keep the mapping.",
    async examine({ scene, send }) {
      const played = scene();
      const first = await send(played);
      const contextId = answerOf({ ...first, value: first.value?.task?.contextId }, "the first message");
      const second = await send(played, { request: { message: played.message({ contextId }) } });
      const answered = answerOf(second, "another message of the context").task?.contextId;
      const [context = ""] = [...played.tasks.values()].map((task) => task.contextId);
      const got = arrivedAt(played, 1)?.request.message.contextId;
      const { transcript } = second;
      const inner = { expected: context, got };
      demand(got === context, "the second message arrived in another context", transcript, inner);
      const outer = { expected: contextId, got: answered };
      demand(answered === contextId, "the answer is in another context than its message", transcript, outer);
    },
  },
  {
    id: "gateway.context.apart",
    section: "3.4.1",
    level: "must",
    title: "keeps contexts apart: those of the client never become one upstream",
    advice: "Give each context of the client one of its own upstream.",
    async examine({ scene, send }) {
      const played = scene();
      const one = answerOf(await send(played), "a message");
      const second = await send(played);
      const two = answerOf(second, "a message");
      const outer = [one, two].map(({ task }) => task?.contextId);
      const isApart = outer[0] !== outer[1];
      demand(isApart, "two contexts of the upstream are one for the client", second.transcript, {
        got: outer[0],
      });
      for (const contextId of outer) {
        if (contextId === undefined) continue;
        await send(played, { request: { message: played.message({ contextId }) } });
      }
      const inner = [2, 3].map((index) => arrivedAt(played, index)?.request.message.contextId);
      // A missing id is a new one: see gateway.context.kept.
      const staysApart = inner[0] === undefined || inner[0] !== inner[1];
      demand(staysApart, "two contexts of the client are one upstream", second.transcript, { got: inner[0] });
    },
  },
  {
    id: "gateway.task.continued",
    section: "3.4.3",
    level: "must",
    title: "brings a message for a task to that task",
    advice: "Map `taskId` of a message to the upstream's id of the task.",
    async examine({ begin, send }) {
      const { scene, task, inner } = await begin({ state: "TASK_STATE_INPUT_REQUIRED" });
      const { id: taskId, contextId = "" } = task;
      const more = { taskId, ...(contextId !== "" && { contextId }) };
      const what = "a message for a task";
      const attempt = await send(scene, { request: { message: scene.message(more) } });
      const got = messageAt(scene, attempt, { index: 1, what }).request.message.taskId;
      demand(got === inner, "the message arrived without its task", attempt.transcript, {
        expected: inner,
        got,
      });
      demandName(answerOf(attempt, what).task?.id, taskId, attempt);
    },
  },
  {
    id: "gateway.task.referenced",
    section: "4.1.4",
    level: "must",
    title: "brings a message that refers to another task to the upstream with the upstream's id of it",
    advice: "Map `referenceTaskIds` of a message to the upstream's ids.",
    async examine({ begin, send }) {
      const { scene, task, inner } = await begin({ state: "TASK_STATE_COMPLETED" });
      const message = scene.message({ referenceTaskIds: [task.id] });
      const attempt = await send(scene, { request: { message } });
      const { request } = messageAt(scene, attempt, { index: 1, what: "such a message" });
      demandSame(request, { message: { referenceTaskIds: [inner] } }, "request", attempt);
    },
  },
  {
    id: "gateway.task.found",
    section: "3.1.3",
    level: "must",
    title: "finds a task by the id that it gave to the client",
    advice: "Map `id` of GetTask to the upstream's, and the id of its answer back.",
    async examine({ begin, trial, door }) {
      const { id } = (await begin({ state: "TASK_STATE_WORKING" })).task;
      const attempt = await trial.getTask(door, id);
      demandName(answerOf(attempt, "GetTask").id, id, attempt);
    },
  },
  {
    id: "gateway.task.listed",
    section: "3.1.4",
    level: "must",
    version: "1.0",
    title: "lists a task under the id by which it is found",
    advice: "Map `contextId` of ListTasks to the upstream's, and the ids of its answer back.",
    async examine({ begin, ask }) {
      const { scene, task } = await begin({ state: "TASK_STATE_WORKING" });
      const hasList = arrivedAt(scene)?.call.version !== "0.3";
      assume(hasList, "the gateway asks the upstream in version 0.3, which has no list");
      const { id, contextId = "" } = task;
      const attempt = await ask((service, call) => service.listTasks({ contextId }, call));
      const got = answerOf(attempt, "ListTasks").tasks.map((each) => each.id);
      demand(got.includes(id), "the task is not in the list of its context", attempt.transcript, {
        expected: id,
        got,
      });
    },
  },
  {
    id: "gateway.task.canceled",
    section: "3.1.5",
    level: "must",
    title: "brings a cancel to the upstream, with the upstream's id",
    advice: "Map `id` of CancelTask to the upstream's, and pass the canceled task back.",
    async examine({ begin, cancelTask }) {
      const { scene, task } = await begin({ state: "TASK_STATE_WORKING" });
      const attempt = await cancelTask(task.id);
      arrival(
        scene.asked.find(({ operation }) => operation === "cancelTask"),
        attempt,
        "the cancel",
      );
      const { id, status } = answerOf(attempt, "the cancel");
      const expected = "TASK_STATE_CANCELED";
      demand(status.state === expected, "the task is not canceled", attempt.transcript, {
        expected,
        got: status.state,
      });
      demandName(id, task.id, attempt);
    },
  },
];

/** Demands that an answer names the task by the client's id. */
function demandName(got: string | undefined, id: string, { transcript }: Attempt<unknown>): void {
  const reason = "the answer has another id than the client knows";
  demand(got === id, reason, transcript, { expected: id, got });
}
