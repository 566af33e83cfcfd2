// Rules about tasks that are read and listed.
import { uuidV7 } from "../../../../core/id.ts";
import { isJsonObject, type JsonObject } from "../../../../core/json.ts";
import type { A2aTask, ListTasksRequest, ListTasksResult } from "../../model.ts";
import { isInterruptedState, isTerminalState } from "../../states.ts";
import type { Attempt } from "../caller.ts";
import type { Endpoint } from "../endpoint.ts";
import { anyway, assume, both, demand, inVersion1, overEach, overHttp, type Check } from "../finding.ts";
import { demandForm, demandRefusal, taskIn, valueOf } from "../judgement.ts";
import { jsonOf } from "../raw-request.ts";
import type { Transcript } from "../transcript.ts";
import type { Trial } from "../trial.ts";
import { behave } from "./send.ts";

const TASKS = 3;
const UNREADABLE = "the task cannot be read";

/** Begins tasks one after another in one context that no other rule uses; once for each interface. */
async function context(trial: Trial, endpoint: Endpoint): Promise<{ contextId: string; tasks: A2aTask[] }> {
  const first = taskIn(await trial.send(endpoint, { message: trial.message() }));
  const { contextId } = first;
  assume(contextId !== undefined, "the agent names no context");
  const tasks = [first];
  while (tasks.length < TASKS) {
    tasks.push(taskIn(await trial.send(endpoint, { message: trial.message(undefined, { contextId }) })));
  }
  assume(new Set(tasks.map(({ id }) => id)).size === TASKS, "its tasks share an id");
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

/** Makes a rule about the list of a context with three tasks. */
function ofList(check: (listed: Listed) => Promise<void> | void, isTried = inVersion1): Check {
  return overEach(both(inVersion1, isTried), async (endpoint, trial) => {
    const made = await trial.once(`context ${endpoint.name}`, () => context(trial, endpoint));
    const { contextId } = made;
    const attempt = await trial.once(`list ${endpoint.name}`, () => list(trial, endpoint, { contextId }));
    const result = valueOf(attempt, "tasks cannot be listed");
    await check({ endpoint, trial, ...made, result, attempt });
  });
}

/** Returns the tasks of a list as they came over HTTP. */
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

/** Makes a rule about a task that is read with this historyLength. */
function atMost(historyLength: number): Check {
  return overEach(inVersion1, async (endpoint, trial) => {
    const { id } = taskIn(await trial.plain(endpoint));
    const attempt = await trial.ask(endpoint, (service, call) =>
      service.getTask({ id, historyLength }, call),
    );
    const count = valueOf(attempt, UNREADABLE).history?.length ?? 0;
    const reason = `historyLength ${historyLength} gives ${count} messages`;
    demand(count <= historyLength, reason, attempt.transcript, {
      expected: `at most ${historyLength}`,
      got: count,
    });
  });
}

export const TASK_CHECKS = {
  "a2a.get.task": overEach(anyway, async (endpoint, trial) => {
    const task = taskIn(await trial.plain(endpoint));
    const attempt = await trial.getTask(endpoint, task.id);
    const value = valueOf(attempt, UNREADABLE);
    const { id, contextId, status } = value;
    const isOther =
      id !== task.id ||
      (task.contextId !== undefined && contextId !== task.contextId) ||
      (isTerminalState(task.status.state) && status.state !== task.status.state);
    const words = (each: A2aTask): string =>
      `${each.id} in ${each.contextId ?? "no context"}: ${each.status.state}`;
    const seen = { expected: words(task), got: words(value) };
    demand(!isOther, "it is not the task that was answered", attempt.transcript, seen);
    demandForm(attempt);
  }),
  "a2a.get.history": atMost(1),
  "a2a.get.no_history": atMost(0),
  "a2a.get.unknown": overEach(anyway, async (endpoint, trial) =>
    demandRefusal(await trial.getTask(endpoint, uuidV7()), "TASK_NOT_FOUND"),
  ),
  "a2a.list.shape": ofList(({ attempt }) => demandForm(attempt)),
  "a2a.list.context": ofList(({ tasks, result, attempt }) => {
    const seen = { expected: ids(tasks), got: ids(result.tasks) };
    demand(seen.got === seen.expected, "the list has other tasks", attempt.transcript, seen);
  }),
  "a2a.list.status": ofList(async ({ trial, endpoint, contextId, result }) => {
    const moving = result.tasks.find(
      ({ status }) => !isTerminalState(status.state) && !isInterruptedState(status.state),
    );
    assume(moving === undefined, `a task is still ${moving?.status.state}`);
    const [state = ""] = result.tasks.map(({ status }) => status.state);
    const other = state === "TASK_STATE_WORKING" ? "TASK_STATE_FAILED" : "TASK_STATE_WORKING";
    for (const status of [state, other]) {
      const expected = ids(result.tasks.filter((task) => task.status.state === status));
      const attempt = await list(trial, endpoint, { contextId, status });
      const got = ids(valueOf(attempt).tasks);
      demand(got === expected, `the list by ${status} has other tasks`, attempt.transcript, {
        expected,
        got,
      });
    }
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
      const value = valueOf(attempt);
      const got = value.tasks.length;
      demand(got <= 2, "a page is longer than pageSize", attempt.transcript, { expected: "2", got });
      seen.push(...value.tasks);
      pageToken = value.nextPageToken;
      if (pageToken !== "") continue;
      return demand(ids(seen) === ids(tasks), "the pages together have other tasks", attempt.transcript, {
        expected: ids(tasks),
        got: ids(seen),
      });
    }
    demand(false, "the pages do not end", undefined, { expected: "an empty nextPageToken" });
  }),
  "a2a.list.order": ofList(({ result, attempt }) => {
    const times = result.tasks.map(({ status }) => Date.parse(status.timestamp ?? ""));
    assume(!times.some(Number.isNaN), "the tasks have no times", attempt.transcript);
    const isOrdered = times.every((time, index) => index === 0 || time <= (times[index - 1] ?? 0));
    demand(isOrdered, "an older task comes before a newer one", attempt.transcript, {
      expected: "newest first",
      got: result.tasks.map(({ status }) => status.timestamp),
    });
  }),
  "a2a.list.artifacts": ofList(async ({ trial, endpoint }) => {
    const { id, artifacts, contextId } = taskIn(await behave(trial, endpoint, "tck-artifact-text"));
    const hasMade = artifacts !== undefined && contextId !== undefined;
    assume(hasMade, "the agent makes no artifact (tck-artifact-text)");
    const without = await list(trial, endpoint, { contextId });
    const isBare = rawTasks(without.transcript).every((task) => task["artifacts"] === undefined);
    demand(isBare, "artifacts are there unasked", without.transcript, { expected: "no field artifacts" });
    const withThem = await list(trial, endpoint, { contextId, includeArtifacts: true });
    const found = withThem.value?.tasks.find((task) => task.id === id);
    const reason = "artifacts are missing though includeArtifacts asks for them";
    demand(found?.artifacts !== undefined, reason, withThem.transcript);
  }, overHttp),
} satisfies Record<string, Check>;
