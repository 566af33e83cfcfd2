// Rules about messages: what they are answered with, and which are refused.
import { isJsonObject, type JsonObject } from "../../../../core/json.ts";
import { uuidV7 } from "../../../../core/id.ts";
import { codecOf } from "../../codecs.ts";
import { METHODS } from "../../methods.ts";
import type { A2aMessage, A2aTask, SendResult } from "../../model.ts";
import { isInterruptedState, isTerminalState } from "../../states.ts";
import type { Endpoint } from "../endpoint.ts";
import { anyway, assume, demand, overAll, overEach, overHttp, overOne, type Check } from "../finding.ts";
import { demandForm, demandRefusal, describeError, isSaid, isThere, taskIn, valueOf } from "../judgement.ts";
import { below, jsonOf } from "../raw-request.ts";
import { readHttpError, readRpcError } from "../../error-form.ts";
import type { Attempt } from "../caller.ts";
import type { Trial } from "../trial.ts";
import type { Transcript } from "../transcript.ts";

export const NEEDS_CREDENTIALS = "it needs credentials; give them with --header or options.auth";

/** Sends a message as it stands in the version's JSON, after a change that no client would make. */
export async function sendChanged(
  trial: Trial,
  endpoint: Endpoint,
  change: (params: JsonObject, message: JsonObject) => void,
  headers: Record<string, string> = {},
): Promise<Pick<Attempt<JsonObject>, "value" | "error" | "timedOut" | "transcript">> {
  const { binding, version, url } = endpoint;
  const params = structuredClone(
    codecOf(version, binding).encodeRequest("send", { message: trial.message() }),
  );
  change(params, isJsonObject(params["message"]) ? params["message"] : {});
  const isRpc = binding === "JSONRPC";
  const method = METHODS[version].send ?? "";
  const transcript = await trial.raw({
    url: isRpc ? url : below(endpoint, "/message:send"),
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      ...trial.headersFor(endpoint),
      ...headers,
    },
    body: JSON.stringify(isRpc ? { jsonrpc: "2.0", id: 1, method, params } : params),
    as: trial.identityFor(endpoint),
  });
  return { ...readAnswer(transcript, isRpc), transcript, timedOut: transcript.trouble === "was left by us" };
}

export function readAnswer(
  transcript: Transcript,
  isRpc: boolean,
): Pick<Attempt<JsonObject>, "value" | "error"> {
  const body = jsonOf(transcript);
  const { status = 0 } = transcript;
  if (isRpc && isJsonObject(body)) {
    if (isJsonObject(body["error"])) return { error: readRpcError(body["error"]) };
    if (isJsonObject(body["result"])) return { value: body["result"] };
  }
  if (status >= 200 && status < 300 && isJsonObject(body)) return { value: body };
  return { error: readHttpError(status, body) };
}

/** Makes a rule that a message is refused as invalid, with any of the codes for that. */
function invalid(change: (params: JsonObject, message: JsonObject) => void): Check {
  return overEach(overHttp, async (endpoint, trial) => {
    const attempt = await sendChanged(trial, endpoint, change);
    const { status = 0 } = attempt.transcript;
    // HTTP+JSON has no name for it: section 11.6 leaves validation to 400 and BadRequest.
    if (endpoint.binding === "HTTP+JSON" && (status === 400 || status === 422)) return;
    demandRefusal(attempt, "INVALID_PARAMS", "INVALID_REQUEST");
  });
}

const contextOf = ({ task, message }: SendResult): string | undefined =>
  task?.contextId ?? message?.contextId;

function demandContext(contextId: string, value: SendResult, { transcript }: Attempt<SendResult>): void {
  const got = contextOf(value) ?? "none";
  demand(got === contextId, "the answer is in another context", transcript, { expected: contextId, got });
}

/** Makes a rule about the answer to the plainest message, over every interface. */
function ofPlain(
  check: (
    value: SendResult,
    attempt: Attempt<SendResult>,
    endpoint: Endpoint,
    trial: Trial,
  ) => Promise<void> | void,
): Check {
  return overEach(anyway, async (endpoint, trial) => {
    const attempt = await trial.plain(endpoint);
    assume(attempt.value !== undefined, `no answer: ${describeError(attempt)}`, attempt.transcript);
    await check(attempt.value, attempt, endpoint, trial);
  });
}

/** Makes a rule about messages to a task that waits for one; each time the task is a new one. */
function ofAsking(check: (task: A2aTask, endpoint: Endpoint, trial: Trial) => Promise<void>): Check {
  return overEach(anyway, async (endpoint, trial) => {
    const task = taskIn(await trial.send(endpoint, { message: trial.message("tck-input-required") }));
    const isAsking = task.status.state === "TASK_STATE_INPUT_REQUIRED";
    assume(isAsking, "the agent asks for no input (tck-input-required)");
    await check(task, endpoint, trial);
  });
}

/** Asks for a behaviour of the conformance kits, once. */
export function behave(trial: Trial, endpoint: Endpoint, name: string, more: Partial<A2aMessage> = {}) {
  return trial.once(`${name} ${endpoint.name}`, () =>
    trial.send(endpoint, { message: trial.message(name, more) }),
  );
}

/** Resolves with whether the agent shows what the official kits ask for: an agent that does not know them never asks back for this text. */
export async function knowsBehaviours(trial: Trial, endpoint: Endpoint): Promise<boolean> {
  const asked = await behave(trial, endpoint, "tck-input-required");
  return asked.value?.task?.status.state === "TASK_STATE_INPUT_REQUIRED";
}

export const SEND_CHECKS = {
  "a2a.send.answered": overAll(anyway, async (endpoint, trial) => {
    const plain = await trial.plain(endpoint);
    const { reason } = plain.error ?? {};
    const isGuarded = reason === "UNAUTHENTICATED" || reason === "PERMISSION_DENIED";
    assume(!isGuarded, NEEDS_CREDENTIALS, plain.transcript);
    assume(isThere(plain), "nobody is there", plain.transcript);
    demand(plain.error === undefined, describeError(plain), plain.transcript);
  }),
  "a2a.send.shape": ofPlain((_value, attempt) => demandForm(attempt)),
  "a2a.send.blocking": ofPlain(({ task }, { transcript }) => {
    if (task === undefined) return;
    const { state } = task.status;
    demand(isTerminalState(state) || isInterruptedState(state), "the task is still under way", transcript, {
      expected: "a terminal or interrupted state",
      got: state,
    });
  }),
  "a2a.send.immediate": overOne(async (endpoint, trial) => {
    const configuration = { returnImmediately: true };
    const attempt = await trial.send(endpoint, { message: trial.message("tck-long-running"), configuration });
    const { state } = taskIn(attempt).status;
    if (!isTerminalState(state)) return;
    const isKnown = await knowsBehaviours(trial, endpoint);
    assume(isKnown, "the agent has no task that takes long (tck-long-running)", attempt.transcript);
    demand(false, "the answer waited for the end of the task", attempt.transcript, {
      expected: "TASK_STATE_SUBMITTED or TASK_STATE_WORKING",
      got: state,
    });
  }),
  "a2a.send.task_ids": ofPlain(async ({ task }, { transcript }, endpoint, trial) => {
    assume(task !== undefined, "the agent keeps no task");
    const again = trial.message(`${trial.task} (again)`);
    const second = taskIn(await trial.send(endpoint, { message: again }));
    demand(second.id !== task.id, "two tasks have the same id", transcript, { got: task.id });
  }),
  "a2a.send.context_given": ofPlain((value, { transcript }) =>
    demand(Boolean(contextOf(value)), "the answer has no contextId", transcript, {
      expected: "a contextId",
      got: "none",
    }),
  ),
  "a2a.send.context_kept": ofPlain(async (value, _attempt, endpoint, trial) => {
    const contextId = contextOf(value) ?? "";
    assume(contextId !== "", "the agent names no context");
    const attempt = await trial.send(endpoint, { message: trial.message(undefined, { contextId }) });
    assume(attempt.value !== undefined, `it was refused: ${describeError(attempt)}`, attempt.transcript);
    demandContext(contextId, attempt.value, attempt);
  }),
  "a2a.send.unknown_task": overEach(anyway, async (endpoint, trial) => {
    const message = trial.message(undefined, { taskId: uuidV7() });
    demandRefusal(await trial.send(endpoint, { message }), "TASK_NOT_FOUND");
  }),
  "a2a.send.finished": ofPlain(async (_value, plain, endpoint, trial) => {
    const { id: taskId, contextId, status } = taskIn(plain);
    assume(isTerminalState(status.state), `the task is ${status.state}`);
    const more = { taskId, ...(contextId !== undefined && { contextId }) };
    const attempt = await trial.send(endpoint, { message: trial.message(undefined, more) });
    if (endpoint.version === "1.0") demandRefusal(attempt, "UNSUPPORTED_OPERATION");
    // 0.3 has no error of its own for it.
    demand(isSaid(attempt), "it was not refused", attempt.transcript, { expected: "an error" });
  }),
  "a2a.send.input": ofAsking(async ({ id, contextId }, endpoint, trial) => {
    const more = { taskId: id, ...(contextId !== undefined && { contextId }) };
    const attempt = await trial.send(endpoint, { message: trial.message("tck-complete-task", more) });
    const { task, message } = valueOf(attempt);
    const isOfTask = task?.id === id || message?.taskId === id;
    demand(isOfTask, "the answer belongs to another task", attempt.transcript, {
      expected: id,
      got: task?.id ?? "a message",
    });
  }),
  "a2a.send.infers": ofAsking(async ({ id: taskId, contextId }, endpoint, trial) => {
    assume(contextId !== undefined, "the agent names no context");
    const attempt = await trial.send(endpoint, { message: trial.message("tck-complete-task", { taskId }) });
    demandContext(contextId, valueOf(attempt), attempt);
  }),
  "a2a.send.mismatch": ofAsking(async ({ id: taskId }, endpoint, trial) => {
    const message = trial.message("tck-complete-task", { taskId, contextId: uuidV7() });
    const attempt = await trial.send(endpoint, { message });
    demand(isSaid(attempt), "it was not refused", attempt.transcript, {
      expected: "an error",
      got: describeError(attempt),
    });
  }),
  "a2a.send.unknown_fields": overEach(overHttp, async (endpoint, trial) => {
    const attempt = await sendChanged(trial, endpoint, (params, message) => {
      params["fromTheFuture"] = { nested: [1, null] };
      message["fromTheFuture"] = true;
      for (const part of [message["parts"], message["content"]].flat()) {
        if (isJsonObject(part)) part["fromTheFuture"] = "yes";
      }
    });
    demand(attempt.value !== undefined, "a message with unknown fields is refused", attempt.transcript, {
      expected: "an answer",
      got: describeError(attempt),
    });
  }),
  "a2a.send.no_parts": invalid((_params, message) => {
    delete message["parts"];
    delete message["content"];
  }),
  "a2a.send.no_id": invalid((_params, message) => void delete message["messageId"]),
  "a2a.send.role": invalid((_params, message) => void (message["role"] = "ROLE_KING")),
  "a2a.artifact.parts": overOne(async (endpoint, trial) => {
    const isKnown = await knowsBehaviours(trial, endpoint);
    assume(isKnown, "the agent does not know which artifact is asked for (tck-artifact-text)");
    let seen = 0;
    for (const kind of ["text", "file", "file-url", "data"] as const) {
      const attempt = await behave(trial, endpoint, `tck-artifact-${kind}`);
      const [artifact] = attempt.value?.task?.artifacts ?? [];
      if (artifact === undefined) continue;
      seen += 1;
      const key = ({ text: "text", file: "raw", "file-url": "url", data: "data" } as const)[kind];
      const hasIt = artifact.parts.some((part) => part[key] !== undefined);
      demand(hasIt, `an artifact of ${kind} has no ${key}`, attempt.transcript, {
        expected: `a part with ${key}`,
        got: artifact.parts,
      });
    }
    assume(seen > 0, "the agent makes no artifact (tck-artifact-text)");
  }),
} satisfies Record<string, Check>;
