// Rules about tasks that are read and listed.
import { uuidV7 } from "../../../../core/id.ts";
import { isJsonObject, type JsonObject } from "../../../../core/json.ts";
import type { A2aTask, ListTasksRequest, ListTasksResult } from "../../model.ts";
import { isInterruptedState, isTerminalState } from "../../states.ts";
import type { Attempt } from "../caller.ts";
import type { Endpoint } from "../endpoint.ts";
import {
  anyway,
  broken,
  inVersion1,
  KEPT,
  noOccasion,
  overEach,
  overHttp,
  type A2aFinding,
  type Check,
} from "../finding.ts";
import { describeError, isFinding, refusedWith, taskIn, wellFormed } from "../judgement.ts";
import { jsonOf } from "../raw-request.ts";
import type { Transcript } from "../transcript.ts";
import type { Trial } from "../trial.ts";
import { behave } from "./send.ts";

const TASKS = 3;

/** Tasks one after another in one context, which nobody else adds to; made once for each interface. */
async function context(
  trial: Trial,
  endpoint: Endpoint,
): Promise<{ contextId: string; tasks: A2aTask[] } | A2aFinding> {
  const first = taskIn(await trial.send(endpoint, { message: trial.message() }));
  if (isFinding(first)) return first;
  const { contextId } = first;
  if (contextId === undefined) return noOccasion("the agent names no context");
  const tasks = [first];
  while (tasks.length < TASKS) {
    const next = taskIn(await trial.send(endpoint, { message: trial.message(undefined, { contextId }) }));
    if (isFinding(next)) return next;
    tasks.push(next);
  }
  if (new Set(tasks.map(({ id }) => id)).size < TASKS) return noOccasion("its tasks share an id");
  return { contextId, tasks };
}

function list(
  trial: Trial,
  endpoint: Endpoint,
  request: ListTasksRequest,
): Promise<Attempt<ListTasksResult>> {
  return trial.ask(endpoint, (service, call) => service.listTasks(request, call));
}

interface Listed {
  endpoint: Endpoint;
  trial: Trial;
  contextId: string;
  tasks: A2aTask[];
  result: ListTasksResult;
  attempt: Attempt<ListTasksResult>;
}

/** A rule about the list of a context with three tasks. */
function ofList(check: (listed: Listed) => A2aFinding | Promise<A2aFinding>, isTried = inVersion1): Check {
  return (trial) =>
    overEach(
      trial,
      (endpoint) => inVersion1(endpoint) && isTried(endpoint),
      async (endpoint) => {
        const made = await trial.once(`context ${endpoint.name}`, () => context(trial, endpoint));
        if (isFinding(made)) return made;
        const { contextId } = made;
        const attempt = await trial.once(`list ${endpoint.name}`, () => list(trial, endpoint, { contextId }));
        const { value: result } = attempt;
        if (result === undefined)
          return broken(`tasks cannot be listed: ${describeError(attempt)}`, attempt.transcript);
        return check({ endpoint, trial, ...made, result, attempt });
      },
    );
}

/** The tasks of a list as they came over HTTP. */
function rawTasks(transcript: Transcript): JsonObject[] {
  const body = jsonOf(transcript);
  const { result = body } = isJsonObject(body) ? body : {};
  const { tasks } = isJsonObject(result) ? result : {};
  return Array.isArray(tasks) ? tasks.filter(isJsonObject) : [];
}

const ids = (tasks: readonly A2aTask[]): string =>
  tasks
    .map(({ id }) => id)
    .toSorted()
    .join(" ");

/** A task that is read with this historyLength. */
function atMost(historyLength: number): Check {
  return (trial) =>
    overEach(trial, inVersion1, async (endpoint) => {
      const task = taskIn(await trial.plain(endpoint));
      if (isFinding(task)) return task;
      const attempt = await trial.ask(endpoint, (service, call) =>
        service.getTask({ id: task.id, historyLength }, call),
      );
      const { value, transcript } = attempt;
      if (value === undefined)
        return broken(`the task cannot be read: ${describeError(attempt)}`, transcript);
      const count = value.history?.length ?? 0;
      if (count <= historyLength) return KEPT;
      return broken(`historyLength ${historyLength} gives ${count} messages`, transcript, {
        expected: `at most ${historyLength}`,
        got: count,
      });
    });
}

export const TASK_CHECKS = {
  "a2a.get.task": (trial) =>
    overEach(trial, anyway, async (endpoint) => {
      const task = taskIn(await trial.plain(endpoint));
      if (isFinding(task)) return task;
      const attempt = await trial.ask(endpoint, (service, call) => service.getTask({ id: task.id }, call));
      const { value, transcript } = attempt;
      if (value === undefined)
        return broken(`the task cannot be read: ${describeError(attempt)}`, transcript);
      const isOther = ({ id, contextId, status }: A2aTask): boolean =>
        id !== task.id ||
        (task.contextId !== undefined && contextId !== task.contextId) ||
        (isTerminalState(task.status.state) && status.state !== task.status.state);
      const words = ({ id, contextId, status }: A2aTask): string =>
        `${id} in ${contextId ?? "no context"}: ${status.state}`;
      if (isOther(value)) {
        const seen = { expected: words(task), got: words(value) };
        return broken("it is not the task that was answered", transcript, seen);
      }
      return wellFormed(attempt);
    }),
  "a2a.get.history": atMost(1),
  "a2a.get.no_history": atMost(0),
  "a2a.get.unknown": (trial) =>
    overEach(trial, anyway, async (endpoint) =>
      refusedWith(
        await trial.ask(endpoint, (service, call) => service.getTask({ id: uuidV7() }, call)),
        "TASK_NOT_FOUND",
      ),
    ),
  "a2a.list.shape": ofList(({ attempt }) => wellFormed(attempt)),
  "a2a.list.context": ofList(({ tasks, result, attempt }) =>
    ids(result.tasks) === ids(tasks)
      ? KEPT
      : broken("the list has other tasks", attempt.transcript, {
          expected: ids(tasks),
          got: ids(result.tasks),
        }),
  ),
  "a2a.list.status": ofList(async ({ trial, endpoint, contextId, result }) => {
    const moving = result.tasks.find(
      ({ status }) => !isTerminalState(status.state) && !isInterruptedState(status.state),
    );
    if (moving !== undefined) return noOccasion(`a task is still ${moving.status.state}`);
    const [state = ""] = result.tasks.map(({ status }) => status.state);
    const other = state === "TASK_STATE_WORKING" ? "TASK_STATE_FAILED" : "TASK_STATE_WORKING";
    for (const status of [state, other]) {
      const expected = ids(result.tasks.filter((task) => task.status.state === status));
      const attempt = await list(trial, endpoint, { contextId, status });
      if (attempt.value === undefined) return broken(describeError(attempt), attempt.transcript);
      const got = ids(attempt.value.tasks);
      if (got !== expected)
        return broken(`the list by ${status} has other tasks`, attempt.transcript, { expected, got });
    }
    return KEPT;
  }),
  "a2a.list.pages": ofList(async ({ trial, endpoint, contextId, tasks }) => {
    const seen: A2aTask[] = [];
    let pageToken = "";
    for (let page = 0; page <= TASKS; page++) {
      const attempt = await list(trial, endpoint, {
        contextId,
        pageSize: 2,
        ...(pageToken !== "" && { pageToken }),
      });
      const { value, transcript } = attempt;
      if (value === undefined) return broken(describeError(attempt), transcript);
      if (value.tasks.length > 2)
        return broken("a page is longer than pageSize", transcript, {
          expected: "2",
          got: value.tasks.length,
        });
      seen.push(...value.tasks);
      pageToken = value.nextPageToken;
      if (pageToken !== "") continue;
      if (ids(seen) === ids(tasks)) return KEPT;
      return broken("the pages together have other tasks", transcript, {
        expected: ids(tasks),
        got: ids(seen),
      });
    }
    return broken("the pages do not end", undefined, { expected: "an empty nextPageToken" });
  }),
  "a2a.list.order": ofList(({ result, attempt }) => {
    const times = result.tasks.map(({ status }) => Date.parse(status.timestamp ?? ""));
    if (times.some(Number.isNaN)) return noOccasion("the tasks have no times", attempt.transcript);
    const wrong = times.findIndex((time, index) => index > 0 && time > (times[index - 1] ?? 0));
    if (wrong === -1) return KEPT;
    return broken("an older task comes before a newer one", attempt.transcript, {
      expected: "newest first",
      got: result.tasks.map(({ status }) => status.timestamp),
    });
  }),
  "a2a.list.artifacts": ofList(async ({ trial, endpoint }) => {
    const made = taskIn(await behave(trial, endpoint, "tck-artifact-text"));
    if (isFinding(made)) return made;
    if (made.artifacts === undefined || made.contextId === undefined)
      return noOccasion("the agent makes no artifact (tck-artifact-text)");
    const { contextId } = made;
    const without = await list(trial, endpoint, { contextId });
    if (rawTasks(without.transcript).some((task) => task["artifacts"] !== undefined))
      return broken("artifacts are there unasked", without.transcript, { expected: "no field artifacts" });
    const withThem = await list(trial, endpoint, { contextId, includeArtifacts: true });
    const found = withThem.value?.tasks.find(({ id }) => id === made.id);
    return found?.artifacts === undefined
      ? broken("artifacts are missing though includeArtifacts asks for them", withThem.transcript)
      : KEPT;
  }, overHttp),
} satisfies Record<string, Check>;
