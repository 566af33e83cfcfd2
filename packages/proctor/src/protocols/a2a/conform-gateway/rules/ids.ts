// Rules about ids: a gateway may have its own, as long as each leads to the same thing.
import type { Attempt } from "../../conform/caller.ts";
import { broken, KEPT, noOccasion, type A2aFinding } from "../../conform/finding.ts";
import { arrivedAt, neverArrived, refused, same } from "../findings.ts";
import type { GatewayRule } from "../gateway-rule.ts";
import type { Begun } from "../stage.ts";

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
      const contextId = first.value?.task?.contextId;
      if (contextId === undefined) return refused(first, "the first message");
      const second = await send(played, { request: { message: played.message({ contextId }) } });
      if (second.value === undefined) return refused(second, "another message of the context");
      const [context = ""] = [...played.tasks.values()].map((task) => task.contextId);
      const got = arrivedAt(played, 1)?.request.message.contextId;
      if (got !== context) {
        return broken("the second message arrived in another context", second.transcript, {
          expected: context,
          got,
        });
      }
      const answered = second.value.task?.contextId;
      if (answered === contextId) return KEPT;
      return broken("the answer is in another context than its message", second.transcript, {
        expected: contextId,
        got: answered,
      });
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
      const attempts = [await send(played), await send(played)];
      const outer = attempts.map(({ value }) => value?.task?.contextId);
      const [one, two] = attempts;
      if (one?.value === undefined) return one ? refused(one, "a message") : noOccasion("nothing was sent");
      if (two?.value === undefined) return two ? refused(two, "a message") : noOccasion("nothing was sent");
      if (outer[0] === outer[1]) {
        return broken("two contexts of the upstream are one for the client", two.transcript, {
          got: outer[0],
        });
      }
      for (const contextId of outer) {
        if (contextId === undefined) continue;
        await send(played, { request: { message: played.message({ contextId }) } });
      }
      const inner = [2, 3].map((index) => arrivedAt(played, index)?.request.message.contextId);
      // One that is missing is a new one: see gateway.context.kept.
      if (inner[0] === undefined || inner[0] !== inner[1]) return KEPT;
      return broken("two contexts of the client are one upstream", two.transcript, { got: inner[0] });
    },
  },
  {
    id: "gateway.task.continued",
    section: "3.4.3",
    level: "must",
    title: "brings a message for a task to that task",
    advice: "Map `taskId` of a message to the upstream's id of the task.",
    async examine({ begin, send }) {
      const begun = await begin({ state: "TASK_STATE_INPUT_REQUIRED" });
      if (begun.task === undefined) return noTask(begun);
      const { scene, task, inner } = begun;
      const { id: taskId, contextId = "" } = task;
      const more = { taskId, ...(contextId !== "" && { contextId }) };
      const attempt = await send(scene, { request: { message: scene.message(more) } });
      const arrived = arrivedAt(scene, 1);
      if (arrived === undefined) {
        return attempt.error
          ? refused(attempt, "a message for a task")
          : neverArrived(attempt, "the message");
      }
      const got = arrived.request.message.taskId;
      if (got !== inner) {
        return broken("the message arrived without its task", attempt.transcript, { expected: inner, got });
      }
      if (attempt.value === undefined) return refused(attempt, "a message for a task");
      return named(attempt.value.task?.id, taskId, attempt);
    },
  },
  {
    id: "gateway.task.referenced",
    section: "4.1.4",
    level: "must",
    title: "brings a message that refers to another task to the upstream with the upstream's id of it",
    advice: "Map `referenceTaskIds` of a message to the upstream's ids.",
    async examine({ begin, send }) {
      const begun = await begin({ state: "TASK_STATE_COMPLETED" });
      if (begun.task === undefined) return noTask(begun);
      const { scene, task, inner } = begun;
      const attempt = await send(scene, {
        request: { message: scene.message({ referenceTaskIds: [task.id] }) },
      });
      const arrived = arrivedAt(scene, 1);
      if (arrived === undefined) {
        return attempt.error ? refused(attempt, "such a message") : neverArrived(attempt, "the message");
      }
      return same(arrived.request, { message: { referenceTaskIds: [inner] } }, "request", attempt);
    },
  },
  {
    id: "gateway.task.found",
    section: "3.1.3",
    level: "must",
    title: "finds a task by the id that it gave to the client",
    advice: "Map `id` of GetTask to the upstream's, and the id of its answer back.",
    async examine({ begin, ask }) {
      const begun = await begin({ state: "TASK_STATE_WORKING" });
      if (begun.task === undefined) return noTask(begun);
      const { id } = begun.task;
      const attempt = await ask((service, call) => service.getTask({ id }, call));
      return attempt.value ? named(attempt.value.id, id, attempt) : refused(attempt, "GetTask");
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
      const begun = await begin({ state: "TASK_STATE_WORKING" });
      if (begun.task === undefined) return noTask(begun);
      if (arrivedAt(begun.scene)?.call.version === "0.3") {
        return noOccasion("the gateway asks the upstream in version 0.3, which has no list");
      }
      const { id, contextId = "" } = begun.task;
      const attempt = await ask((service, call) => service.listTasks({ contextId }, call));
      if (attempt.value === undefined) return refused(attempt, "ListTasks");
      const ids = attempt.value.tasks.map((task) => task.id);
      if (ids.includes(id)) return KEPT;
      return broken("the task is not in the list of its context", attempt.transcript, {
        expected: id,
        got: ids,
      });
    },
  },
  {
    id: "gateway.task.canceled",
    section: "3.1.5",
    level: "must",
    title: "brings a cancel to the upstream, with the upstream's id",
    advice: "Map `id` of CancelTask to the upstream's, and pass the canceled task back.",
    async examine({ begin, ask }) {
      const begun = await begin({ state: "TASK_STATE_WORKING" });
      if (begun.task === undefined) return noTask(begun);
      const { id } = begun.task;
      const attempt = await ask((service, call) => service.cancelTask({ id }, call));
      const asked = begun.scene.asked.filter(({ operation }) => operation === "cancelTask");
      if (asked.length === 0) return neverArrived(attempt, "the cancel");
      if (attempt.value === undefined) return refused(attempt, "the cancel");
      const { state } = attempt.value.status;
      if (state !== "TASK_STATE_CANCELED") {
        return broken("the task is not canceled", attempt.transcript, {
          expected: "TASK_STATE_CANCELED",
          got: state,
        });
      }
      return named(attempt.value.id, id, attempt);
    },
  },
];

export function noTask({ attempt }: Begun): A2aFinding {
  return attempt.value === undefined
    ? refused(attempt, "a message")
    : broken("a task of the upstream did not come back as a task", attempt.transcript, {
        got: attempt.value,
      });
}

/** Passes where an answer calls the task as the client does. */
function named(got: string | undefined, id: string, { transcript }: Attempt<unknown>): A2aFinding {
  if (got === id) return KEPT;
  return broken("the answer has another id than the client knows", transcript, { expected: id, got });
}
