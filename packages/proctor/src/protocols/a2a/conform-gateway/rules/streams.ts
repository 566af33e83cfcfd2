// Rules about streams: every event comes through, in order and at once, and the end of a stream is what it was upstream.
import { whenAborted } from "../../../../core/when-aborted.ts";
import { withinTime } from "../../../../runtime/time/within-time.ts";
import { A2aError } from "../../errors.ts";
import { isTerminalState } from "../../states.ts";
import type { Heard } from "../../conform/caller.ts";
import { assume, demand } from "../../conform/finding.ts";
import type { StreamFrame } from "../../service.ts";
import type { GatewayRule } from "../gateway-rule.ts";
import { artifactEvent, statusEvent, type Scene } from "../scene.ts";
import type { Stage } from "../stage.ts";

const PIECES = 50;
const FIRST = "the first word";
const SECOND = "the second word";
/** Round trips through the gateway after which a cancel that it sent has arrived too. */
const ROUND_TRIPS = 5;

export const STREAM_RULES: readonly GatewayRule[] = [
  {
    id: "gateway.stream.order",
    section: "3.5.2",
    level: "must",
    when: "streaming",
    title: "passes every event of a stream on, in order",
    advice: "Pass each event on as it comes; drop, merge and reorder none.",
    async examine(stage) {
      const played = stage.scene({
        async *events(task) {
          for (let index = 0; index < PIECES; index++) {
            yield artifactEvent(task, `piece ${index};`, {
              append: index > 0,
              lastChunk: index === PIECES - 1,
            });
          }
        },
      });
      const heard = await hear(stage, played);
      const expected = Array.from({ length: PIECES }, (_, index) => `piece ${index};`).join("");
      const got = heard.frames.flatMap(({ event }) => event.artifactUpdate?.artifact.parts ?? []);
      const texts = got.map(({ text }) => text ?? "").join("");
      const reason = "the events of the stream are not those of the upstream";
      demand(texts === expected, reason, heard.transcript, {
        expected: `${PIECES} pieces in order`,
        got: texts === "" ? troubleOf(heard) : texts,
      });
    },
  },
  {
    id: "gateway.stream.live",
    section: "3.1.2",
    level: "must",
    when: "streaming",
    title: "passes an event on when it comes, and not when the next one does",
    advice: "Turn buffering and compression off for text/event-stream, and flush after each event.",
    async examine(stage) {
      const heard = await hearLive(stage);
      demand(isLive(heard), "an event did not come before the next one was sent", heard.transcript, {
        expected: `${FIRST}, then ${SECOND}`,
        got: troubleOf(heard),
      });
    },
  },
  {
    id: "gateway.stream.end",
    section: "3.1.2",
    level: "must",
    when: "streaming",
    title: "ends a stream when the upstream ends it",
    advice: "Close the client's stream when the upstream has closed its own.",
    async examine(stage) {
      const heard = await stage.stream(stage.scene());
      const isOver = heard.frames.some(isLast) && heard.ended === "closed";
      const got = troubleOf(heard);
      demand(isOver, "the stream does not end as the upstream's did", heard.transcript, { got });
    },
  },
  {
    id: "gateway.stream.cut",
    section: "3.3.2",
    level: "must",
    when: "streaming",
    title: "does not show an upstream that broke off as a stream that ended well",
    advice: "End the client's stream with an error, or cut it, when the upstream's broke off.",
    async examine(stage) {
      assume(isLive(await hearLive(stage)), NOT_LIVE);
      const seen = new AbortController();
      const gone = (): Promise<never> => Promise.reject(new A2aError("TASK_NOT_FOUND"));
      const played: Scene = stage.scene({
        async *events(task, { signal }) {
          yield statusEvent(task, "TASK_STATE_WORKING", FIRST);
          await Promise.race([whenAborted(seen.signal), whenAborted(signal)]);
          played.cut();
        },
        subscribe: gone,
        getTask: gone,
      });
      const heard = await stage.stream(played, {
        onFrame: (frame) => {
          if (saysIn(frame, FIRST)) seen.abort();
        },
      });
      seen.abort();
      const { transcript } = heard;
      const last = heard.frames.at(-1);
      const isOver = last !== undefined && isLast(last);
      const got = last?.event;
      demand(!isOver, "the task is shown as over, and the upstream was cut", transcript, { got });
      demand(!heard.timedOut, "the client was told nothing until the time limit", transcript);
      demand(heard.ended !== "closed", "the stream ended as if all had come", transcript, {
        expected: "an error, or a connection that breaks",
        got: troubleOf(heard),
      });
    },
  },
  {
    id: "gateway.stream.subscribed",
    section: "3.1.6",
    level: "must",
    when: "streaming",
    title: "lets a client subscribe to its task again",
    advice: "Map `id` of SubscribeToTask to the upstream's, and the ids of its events back.",
    async examine(stage) {
      const begun = await stage.begin({
        state: "TASK_STATE_WORKING",
        async *events(task) {
          yield statusEvent(task, "TASK_STATE_WORKING", SECOND);
        },
      });
      const { id } = begun.task;
      const heard = await stage.trial.subscribe(stage.door, id, { onFrame: isLast });
      const { transcript } = heard;
      const news = heard.frames.find((frame) => saysIn(frame, SECOND));
      const seen = { got: troubleOf(heard) };
      demand(news !== undefined, "the task's events do not come", transcript, seen);
      const got = news.event.statusUpdate?.taskId ?? news.event.task?.id;
      const reason = "the events have another id than the client knows";
      demand(got === id, reason, transcript, { expected: id, got });
    },
  },
  {
    id: "gateway.stream.left",
    section: "3.5.2",
    level: "must",
    when: "streaming",
    title: "does not cancel a task when its client leaves",
    advice: "A client that leaves a stream may come back: cancel only what a client cancels.",
    async examine(stage) {
      const { played, heard } = await leave(stage);
      const isCanceled = played.asked.some(({ operation }) => operation === "cancelTask");
      demand(!isCanceled, "the upstream was told to cancel the task", heard.transcript);
    },
  },
  {
    id: "gateway.stream.released",
    level: "should",
    when: "streaming",
    title: "leaves the upstream's stream when its client has left for good",
    advice: "Close the request to the upstream when the client's is closed.",
    async examine(stage) {
      const { heard, isReleased } = await leave(stage);
      const mayKeep = !isReleased && isResumable(heard);
      assume(!mayKeep, "the client may come back with Last-Event-ID, so the stream may be kept for it");
      demand(isReleased, "the upstream's stream was still open at the time limit", heard.transcript);
    },
  },
];

const NOT_LIVE = "events do not come when they are sent: see gateway.stream.live";

/** Listens to the stream of a message until its task is over. */
function hear(stage: Stage, played: Scene, onFrame?: (frame: StreamFrame) => void): Promise<Heard> {
  return stage.stream(played, {
    onFrame: (frame) => {
      onFrame?.(frame);
      return isLast(frame);
    },
  });
}

/** Listens, once at each endpoint, to a stream whose upstream goes on only when the client has got the first event. */
function hearLive(stage: Stage): Promise<Heard> {
  return stage.trial.once(`live ${stage.door.name}`, async () => {
    const seen = new AbortController();
    const played = stage.scene({
      async *events(task, { signal }) {
        yield statusEvent(task, "TASK_STATE_WORKING", FIRST);
        await Promise.race([whenAborted(seen.signal), whenAborted(signal)]);
        yield statusEvent(task, "TASK_STATE_WORKING", SECOND);
      },
    });
    const heard = await hear(stage, played, (frame) => {
      if (saysIn(frame, FIRST)) seen.abort();
    });
    seen.abort();
    return heard;
  });
}

function isLive({ frames }: Heard): boolean {
  return frames.some((frame) => saysIn(frame, SECOND));
}

interface Left {
  played: Scene;
  heard: Heard;
  /** True when the upstream's stream was closed within the time limit; not waited for where a client may come back. */
  isReleased: boolean;
}

/** Leaves a stream after its first event, once at each endpoint. */
function leave(stage: Stage): Promise<Left> {
  const { trial, door } = stage;
  return trial.once(`left ${door.name}`, async () => {
    assume(isLive(await hearLive(stage)), NOT_LIVE);
    const closed = new AbortController();
    const played = stage.scene({
      async *events(task, { signal }) {
        signal.addEventListener("abort", () => closed.abort(), { once: true });
        yield statusEvent(task, "TASK_STATE_WORKING", FIRST);
        await whenAborted(signal);
      },
    });
    const heard = await stage.stream(played, { onFrame: (frame) => saysIn(frame, FIRST) });
    if (!isResumable(heard)) {
      await withinTime(trial.signal, trial.timeoutMs, (limit) =>
        Promise.race([whenAborted(closed.signal), whenAborted(limit)]),
      );
    }
    const isReleased = closed.signal.aborted;
    for (let trip = 0; trip < ROUND_TRIPS; trip++) await stage.send(stage.scene());
    played.cut();
    return { played, heard, isReleased };
  });
}

/** Frames with ids can be continued by a client that comes back. */
function isResumable({ frames }: Heard): boolean {
  return frames.some(({ id }) => id !== undefined);
}

function isLast(frame: StreamFrame): boolean {
  return isTerminalState(stateIn(frame));
}

function stateIn({ event }: StreamFrame): string {
  return (event.statusUpdate ?? event.task)?.status.state ?? "";
}

function saysIn({ event }: StreamFrame, words: string): boolean {
  return JSON.stringify(event).includes(words);
}

function troubleOf({ frames, ended, error, timedOut }: Heard): string {
  const after = `after ${frames.length} ${frames.length === 1 ? "event" : "events"}`;
  if (timedOut) return `nothing more ${after}, until the time limit`;
  if (ended === "broken") return `${error?.message ?? "the connection broke"} ${after}`;
  return `${ended === "left" ? "the task was over" : "the stream ended"} ${after}`;
}
