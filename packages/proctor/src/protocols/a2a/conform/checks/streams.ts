// Rules about streams and subscriptions.
import { uuidV7 } from "../../../../core/id.ts";
import { isJsonObject } from "../../../../core/json.ts";
import { parseAny } from "../../../http-refusal.ts";
import { isInterruptedState, isTerminalState } from "../../states.ts";
import type { StreamFrame } from "../../service.ts";
import type { Heard } from "../caller.ts";
import type { Endpoint } from "../endpoint.ts";
import {
  anyway,
  broken,
  inVersion1,
  KEPT,
  noOccasion,
  overEach,
  overHttp,
  preferred,
  type A2aFinding,
  type Check,
} from "../finding.ts";
import { essence, essenceOf, heardTask } from "../heard-task.ts";
import { describeError, isFinding, streamRefusedWith, taskIn, wellFormed } from "../judgement.ts";
import { openTask } from "../open-task.ts";
import type { Trial } from "../trial.ts";

/** The plain stream, and one of a task in pieces, where the agent knows how. */
export async function streamsOf(trial: Trial, endpoint: Endpoint): Promise<Heard[]> {
  const chunked = trial.once(`chunked ${endpoint.name}`, () =>
    trial.listen(endpoint, (service, call) =>
      service.stream({ message: trial.message("tck-stream-chunked") }, call),
    ),
  );
  return Promise.all([trial.plainStream(endpoint), chunked]);
}

/** A rule about what streams say, over every interface. */
function ofStreams(
  check: (heard: Heard, endpoint: Endpoint, trial: Trial) => A2aFinding | Promise<A2aFinding>,
  isTried: (endpoint: Endpoint) => boolean = anyway,
): Check {
  return (trial) =>
    overEach(trial, isTried, async (endpoint) => {
      for (const heard of await streamsOf(trial, endpoint)) {
        if (heard.frames.length === 0) {
          const why = `no stream came: ${describeError(heard)}`;
          // Over HTTP its form is a rule of its own.
          return endpoint.binding === "GRPC"
            ? broken(why, heard.transcript)
            : noOccasion(why, heard.transcript);
        }
        const finding = await check(heard, endpoint, trial);
        if (finding.outcome !== "pass") return finding;
      }
      return KEPT;
    });
}

function formProblem({ transcript, ended, error }: Heard, isRpc: boolean): A2aFinding {
  const type = transcript.answered?.["content-type"];
  if (!/^text\/event-stream\s*(;|$)/i.test(type ?? ""))
    return broken("it is no event stream", transcript, {
      expected: "text/event-stream",
      got: type ?? "no type",
    });
  if (ended === "broken")
    return broken(describeError({ ...(error && { error }), timedOut: false }), transcript);
  const sent = isRpc ? idIn(transcript.body) : undefined;
  for (const frame of transcript.received.split(/\r?\n\r?\n/)) {
    const lines = frame.split(/\r?\n/).filter((line) => line.startsWith("data:"));
    if (lines.length === 0) continue;
    const json = parseAny(lines.map((line) => line.slice(5)).join("\n"));
    if (!isJsonObject(json)) return broken("a frame is no JSON object", transcript, { got: frame });
    if (isRpc && json["id"] !== sent)
      return broken("a frame has the id of another request", transcript, {
        expected: String(sent),
        got: json["id"] ?? "none",
      });
  }
  return KEPT;
}

function idIn(body: string | undefined): unknown {
  const json = parseAny(body ?? "");
  return isJsonObject(json) ? json["id"] : undefined;
}

export const kindOf = ({ event }: StreamFrame): string =>
  Object.keys(event).find((key) => key !== "kind") ?? "nothing";

export const STREAM_CHECKS = {
  "a2a.stream.form": (trial) =>
    overEach(trial, overHttp, async (endpoint) => {
      for (const heard of await streamsOf(trial, endpoint)) {
        const finding = formProblem(heard, endpoint.binding === "JSONRPC");
        if (finding.outcome !== "pass") return finding;
      }
      return KEPT;
    }),
  "a2a.stream.shape": ofStreams((heard) => wellFormed(heard)),
  "a2a.stream.first": ofStreams(({ frames, transcript }) => {
    const [first] = frames;
    const kind = first === undefined ? "nothing" : kindOf(first);
    if (kind === "task" || (kind === "message" && frames.length === 1)) return KEPT;
    return broken("the first frame is not the task", transcript, {
      expected: "task, or one message",
      got: frames.map(kindOf).join(", "),
    });
  }, inVersion1),
  "a2a.stream.ids": ofStreams(({ frames, transcript }) => {
    const named = frames.flatMap(({ event: { task, statusUpdate, artifactUpdate } }) => {
      const update = statusUpdate ?? artifactUpdate;
      if (task !== undefined) return [`${task.id} in ${task.contextId ?? ""}`];
      return update === undefined ? [] : [`${update.taskId} in ${update.contextId}`];
    });
    const other = named.find((each) => each !== named[0]);
    return other === undefined
      ? KEPT
      : broken("an update belongs to another task or context", transcript, {
          expected: named[0] ?? "",
          got: other,
        });
  }),
  "a2a.stream.order": ofStreams(({ frames, transcript }) => {
    const { states } = heardTask(frames);
    const again = states.lastIndexOf("TASK_STATE_SUBMITTED");
    const isAgain = again > 0 && states.slice(0, again).some((state) => state !== "TASK_STATE_SUBMITTED");
    if (isAgain) return broken("a task was submitted again", transcript, { got: states.join(", ") });
    const ended = frames.findIndex(({ event }) =>
      isTerminalState(event.statusUpdate?.status.state ?? event.task?.status.state ?? ""),
    );
    // A last snapshot of the task is allowed: section 11.7.
    const late = frames.slice(ended + 1).filter(({ event }) => event.task === undefined);
    if (ended === -1 || late.length === 0) return KEPT;
    return broken("something follows the end of the task", transcript, {
      got: frames.map(kindOf).join(", "),
    });
  }),
  "a2a.stream.end": ofStreams(({ frames, ended, transcript, timedOut }) => {
    if (frames.every(({ event }) => event.message !== undefined)) return KEPT;
    const last = heardTask(frames).states.at(-1) ?? "no state";
    const isOver = isTerminalState(last);
    if (isOver && timedOut)
      return broken("the stream stays open after the end of the task", transcript, {
        expected: "a closed stream",
      });
    if (isOver || isInterruptedState(last) || ended === "broken") return KEPT;
    return broken("the stream closed before the task had ended", transcript, {
      expected: "a terminal or interrupted state",
      got: last,
    });
  }),
  "a2a.stream.same": ofStreams(async ({ frames, transcript, ended }, endpoint, trial) => {
    const { id, states, contents } = heardTask(frames);
    const last = states.at(-1) ?? "";
    if (id === undefined || !isTerminalState(last) || ended !== "closed") return KEPT;
    const read = await trial.ask(endpoint, (service, call) => service.getTask({ id }, call));
    if (read.value === undefined)
      return broken(`the task cannot be read: ${describeError(read)}`, read.transcript);
    const expected = essence(last, contents);
    const got = essenceOf(read.value);
    return got === expected
      ? KEPT
      : broken("the task is another than the stream said", transcript, { expected, got });
  }),
  "a2a.stream.refused": (trial) =>
    overEach(trial, inVersion1, async (endpoint) =>
      streamRefusedWith(await trial.plainStream(endpoint), "UNSUPPORTED_OPERATION"),
    ),
  "a2a.subscribe.snapshot": (trial) =>
    overEach(trial, inVersion1, async (endpoint) => {
      const task = await openTask(trial, endpoint);
      if (isFinding(task)) return task;
      const heard = await trial.listen(
        endpoint,
        (service, call) => service.subscribe({ id: task.id }, call),
        { onFrame: () => true },
      );
      await trial.ask(endpoint, (service, call) => service.cancelTask({ id: task.id }, call));
      const [first] = heard.frames;
      if (first?.event.task?.id === task.id) return KEPT;
      return broken("the first frame is not the task", heard.transcript, {
        expected: "task",
        got: first === undefined ? describeError(heard) : kindOf(first),
      });
    }),
  "a2a.subscribe.finished": (trial) =>
    overEach(trial, inVersion1, async (endpoint) => {
      const task = taskIn(await trial.plain(endpoint));
      if (isFinding(task)) return task;
      if (!isTerminalState(task.status.state)) return noOccasion("the task has not ended");
      return streamRefusedWith(
        await trial.listen(endpoint, (service, call) => service.subscribe({ id: task.id }, call)),
        "UNSUPPORTED_OPERATION",
      );
    }),
  "a2a.subscribe.unknown": (trial) =>
    overEach(trial, anyway, async (endpoint) =>
      streamRefusedWith(
        await trial.listen(endpoint, (service, call) => service.subscribe({ id: uuidV7() }, call)),
        "TASK_NOT_FOUND",
      ),
    ),
  "a2a.subscribe.two": async (trial) => {
    const endpoint = await preferred(trial);
    if (isFinding(endpoint)) return endpoint;
    const task = await openTask(trial, endpoint);
    if (isFinding(task)) return task;
    let subscribed = 0;
    const cancel = (): void => {
      subscribed += 1;
      if (subscribed === 2)
        void trial.ask(endpoint, (service, call) => service.cancelTask({ id: task.id }, call));
    };
    const subscribe = (): Promise<Heard> =>
      trial.listen(endpoint, (service, call) => service.subscribe({ id: task.id }, call), {
        onFrame: (_frame, frames) => void (frames.length === 1 && cancel()),
      });
    const [one, other] = await Promise.all([subscribe(), subscribe()]);
    const words = ({ frames }: Heard): string => frames.map(({ event }) => JSON.stringify(event)).join("\n");
    if (one.frames.length === 0) return noOccasion(`no subscription: ${describeError(one)}`, one.transcript);
    if (words(one) === words(other)) return KEPT;
    return broken("they were told different things", other.transcript, {
      expected: `${one.frames.length} frames: ${one.frames.map(kindOf).join(", ")}`,
      got: `${other.frames.length} frames: ${other.frames.map(kindOf).join(", ")}`,
    });
  },
} satisfies Record<string, Check>;
