// Rules about streams and subscriptions.
import { uuidV7 } from "../../../../core/id.ts";
import { isJsonObject } from "../../../../core/json.ts";
import { parseAny } from "../../../http-refusal.ts";
import { isInterruptedState, isTerminalState } from "../../states.ts";
import type { StreamFrame } from "../../service.ts";
import type { Heard } from "../caller.ts";
import type { Endpoint } from "../endpoint.ts";
import { anyway, assume, demand, inVersion1, overEach, overHttp, overOne, type Check } from "../finding.ts";
import { endOf, essence, essenceOf, heardTask } from "../heard-task.ts";
import { demandForm, demandStreamRefusal, describeError, taskIn, valueOf } from "../judgement.ts";
import { openTask } from "../open-task.ts";
import type { Trial } from "../trial.ts";

/** Listens to the plain stream, and to one of a task in pieces, where the agent supports it. */
export async function streamsOf(trial: Trial, endpoint: Endpoint): Promise<[Heard, Heard]> {
  const chunked = trial.once(`chunked ${endpoint.name}`, () =>
    trial.stream(endpoint, trial.message("tck-stream-chunked")),
  );
  return Promise.all([trial.plainStream(endpoint), chunked]);
}

/** Makes a rule about what streams say, over every interface. */
function ofStreams(
  check: (heard: Heard, endpoint: Endpoint, trial: Trial) => Promise<void> | void,
  isTried: (endpoint: Endpoint) => boolean = anyway,
): Check {
  return overEach(isTried, async (endpoint, trial) => {
    for (const heard of await streamsOf(trial, endpoint)) {
      const hasCome = heard.frames.length > 0;
      // Over HTTP its form is a rule of its own.
      const judge: typeof demand = endpoint.binding === "GRPC" ? demand : assume;
      judge(hasCome, `no stream came: ${describeError(heard)}`, heard.transcript);
      await check(heard, endpoint, trial);
    }
  });
}

function demandStream({ transcript, ended, error }: Heard, isRpc: boolean): void {
  const got = transcript.answered?.["content-type"] ?? "no type";
  const isEventStream = /^text\/event-stream\s*(;|$)/i.test(got);
  demand(isEventStream, "it is no event stream", transcript, { expected: "text/event-stream", got });
  demand(ended !== "broken", describeError({ ...(error && { error }), timedOut: false }), transcript);
  const sent = isRpc ? idIn(transcript.body) : undefined;
  for (const frame of transcript.received.split(/\r?\n\r?\n/)) {
    const lines = frame.split(/\r?\n/).filter((line) => line.startsWith("data:"));
    if (lines.length === 0) continue;
    const json = parseAny(lines.map((line) => line.slice(5)).join("\n"));
    demand(isJsonObject(json), "a frame is no JSON object", transcript, { got: frame });
    if (!isRpc) continue;
    demand(json["id"] === sent, "a frame has the id of another request", transcript, {
      expected: String(sent),
      got: json["id"] ?? "none",
    });
  }
}

function idIn(body: string | undefined): unknown {
  const json = parseAny(body ?? "");
  return isJsonObject(json) ? json["id"] : undefined;
}

export const kindOf = ({ event }: StreamFrame): string =>
  Object.keys(event).find((key) => key !== "kind") ?? "nothing";

export const STREAM_CHECKS = {
  "a2a.stream.form": overEach(overHttp, async (endpoint, trial) => {
    for (const heard of await streamsOf(trial, endpoint)) demandStream(heard, endpoint.binding === "JSONRPC");
  }),
  "a2a.stream.shape": ofStreams((heard) => demandForm(heard)),
  "a2a.stream.first": ofStreams(({ frames, transcript }) => {
    const [kind] = frames.map(kindOf);
    const isRight = kind === "task" || (kind === "message" && frames.length === 1);
    demand(isRight, "the first frame is not the task", transcript, {
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
    demand(other === undefined, "an update belongs to another task or context", transcript, {
      expected: named[0] ?? "",
      got: other,
    });
  }),
  "a2a.stream.order": ofStreams(({ frames, transcript }) => {
    const { states } = heardTask(frames);
    const again = states.lastIndexOf("TASK_STATE_SUBMITTED");
    const isAgain = again > 0 && states.slice(0, again).some((state) => state !== "TASK_STATE_SUBMITTED");
    demand(!isAgain, "a task was submitted again", transcript, { got: states.join(", ") });
    const { hasEnded, late } = endOf(frames);
    const isOver = !hasEnded || late.length === 0;
    demand(isOver, "something follows the end of the task", transcript, {
      got: frames.map(kindOf).join(", "),
    });
  }),
  "a2a.stream.end": ofStreams(({ frames, ended, transcript, timedOut }) => {
    if (frames.every(({ event }) => event.message !== undefined)) return;
    const got = heardTask(frames).states.at(-1) ?? "no state";
    const isOver = isTerminalState(got);
    demand(!(isOver && timedOut), "the stream stays open after the end of the task", transcript, {
      expected: "a closed stream",
    });
    const mayEnd = isOver || isInterruptedState(got) || ended === "broken";
    demand(mayEnd, "the stream closed before the task had ended", transcript, {
      expected: "a terminal or interrupted state",
      got,
    });
  }),
  "a2a.stream.same": ofStreams(async ({ frames, transcript, ended }, endpoint, trial) => {
    const { id, states, contents } = heardTask(frames);
    const last = states.at(-1) ?? "";
    if (id === undefined || !isTerminalState(last) || ended !== "closed") return;
    const expected = essence(last, contents);
    const got = essenceOf(valueOf(await trial.getTask(endpoint, id), "the task cannot be read"));
    demand(got === expected, "the task is another than the stream said", transcript, { expected, got });
  }),
  "a2a.stream.refused": overEach(inVersion1, async (endpoint, trial) =>
    demandStreamRefusal(await trial.plainStream(endpoint), "UNSUPPORTED_OPERATION"),
  ),
  "a2a.subscribe.snapshot": overEach(inVersion1, async (endpoint, trial) => {
    const { id } = await openTask(trial, endpoint);
    const heard = await trial.subscribe(endpoint, id, { onFrame: () => true });
    await trial.cancelTask(endpoint, id);
    const [first] = heard.frames;
    demand(first?.event.task?.id === id, "the first frame is not the task", heard.transcript, {
      expected: "task",
      got: first === undefined ? describeError(heard) : kindOf(first),
    });
  }),
  "a2a.subscribe.finished": overEach(inVersion1, async (endpoint, trial) => {
    const { id, status } = taskIn(await trial.plain(endpoint));
    assume(isTerminalState(status.state), "the task has not ended");
    demandStreamRefusal(await trial.subscribe(endpoint, id), "UNSUPPORTED_OPERATION");
  }),
  "a2a.subscribe.unknown": overEach(anyway, async (endpoint, trial) =>
    demandStreamRefusal(await trial.subscribe(endpoint, uuidV7()), "TASK_NOT_FOUND"),
  ),
  "a2a.subscribe.two": overOne(async (endpoint, trial) => {
    const { id } = await openTask(trial, endpoint);
    let subscribed = 0;
    const cancel = (): void => {
      subscribed += 1;
      if (subscribed === 2) void trial.cancelTask(endpoint, id);
    };
    const subscribe = (): Promise<Heard> =>
      trial.subscribe(endpoint, id, {
        onFrame: (_frame, frames) => void (frames.length === 1 && cancel()),
      });
    const [one, other] = await Promise.all([subscribe(), subscribe()]);
    const words = ({ frames }: Heard): string => frames.map(({ event }) => JSON.stringify(event)).join("\n");
    const kinds = ({ frames }: Heard): string => `${frames.length} frames: ${frames.map(kindOf).join(", ")}`;
    assume(one.frames.length > 0, `no subscription: ${describeError(one)}`, one.transcript);
    demand(words(one) === words(other), "they were told different things", other.transcript, {
      expected: kinds(one),
      got: kinds(other),
    });
  }),
} satisfies Record<string, Check>;
