// Rules about streams that are cut: the task goes on, and the listener can catch up.
import type { A2aTask } from "../../model.ts";
import { isInterruptedState, isTerminalState } from "../../states.ts";
import type { StreamFrame } from "../../service.ts";
import type { Heard } from "../caller.ts";
import type { Endpoint } from "../endpoint.ts";
import type { Seen } from "../../../../conformance/demand.ts";
import { assume, both, demand, inVersion1, overEach, overHttp, overOne, type Check } from "../finding.ts";
import { contentsOf, heardTask, outline, type HeardTask } from "../heard-task.ts";
import { describeError } from "../judgement.ts";
import type { Trial } from "../trial.ts";
import { knowsBehaviours } from "./send.ts";
import { kindOf, streamsOf } from "./streams.ts";

/** Most frames after which a stream is cut; each time a new task is begun. */
const MAX_CUTS = 50;

/** Cuts a stream after this many frames, and waits for what the task becomes. */
async function caughtUp(
  trial: Trial,
  endpoint: Endpoint,
  after: number,
): Promise<{ cut: Heard; task: A2aTask }> {
  const cut = await trial.stream(endpoint, trial.message("tck-stream-chunked"), {
    onFrame: (_frame, frames) => frames.length >= after,
  });
  const { id } = heardTask(cut.frames);
  assume(id !== undefined, "the agent keeps no task", cut.transcript);
  await trial.subscribe(endpoint, id);
  const read = await trial.getTask(endpoint, id);
  demand(read.value !== undefined, `the task is gone: ${describeError(read)}`, cut.transcript);
  return { cut, task: read.value };
}

/** Returns what the listener of a cut stream has lost. An agent that is not deterministic sends something else each time. */
function lostIn(
  { cut, task }: { cut: Heard; task: A2aTask },
  whole: HeardTask,
  isSteady: boolean,
): Seen | undefined {
  const { state } = task.status;
  const contents = contentsOf(task.artifacts);
  if (isSteady) {
    const expected = outline(whole.states.at(-1), whole.contents);
    const got = outline(state, contents);
    return got === expected ? undefined : { expected, got };
  }
  if (!isTerminalState(state) && !isInterruptedState(state))
    return { expected: "the end of the task", got: state };
  const missing = Object.keys(heardTask(cut.frames).contents).find((id) => contents[id] === undefined);
  return missing === undefined
    ? undefined
    : { expected: `the artifact ${missing}`, got: Object.keys(contents) };
}

export const RESUME_CHECKS = {
  "a2a.resume.complete": overOne(async (endpoint, trial) => {
    const [, whole] = await streamsOf(trial, endpoint);
    assume(whole.frames.length > 0, "there is no stream to cut");
    const isSteady = await knowsBehaviours(trial, endpoint);
    const heard = heardTask(whole.frames);
    for (let after = 1; after < Math.min(whole.frames.length, MAX_CUTS); after++) {
      const caught = await caughtUp(trial, endpoint, after);
      const lost = lostIn(caught, heard, isSteady);
      const reason = `cut after frame ${after}, the task became another`;
      demand(lost === undefined, reason, caught.cut.transcript, lost);
    }
  }),
  "a2a.resume.last_event_id": overEach(both(inVersion1, overHttp), async (endpoint, trial) => {
    const [, whole] = await streamsOf(trial, endpoint);
    const [first, ...rest] = whole.frames;
    const { id } = heardTask(whole.frames);
    const isLong = first !== undefined && id !== undefined && rest.length > 0;
    assume(isLong, "the stream has one frame only");
    const lastEventId = first.id;
    const hasIds = lastEventId !== undefined;
    demand(hasIds, "the frames have no ids", whole.transcript, { expected: "id: …", got: "no id" });
    const again = await trial.subscribe(endpoint, id, { lastEventId });
    const words = (frames: readonly StreamFrame[]): string => frames.map(kindOf).join(", ");
    const isRest = words(again.frames) === words(rest);
    demand(isRest, "it does not continue after the frame that was named", again.transcript, {
      expected: words(rest),
      got: again.error ? describeError(again) : words(again.frames),
    });
  }),
} satisfies Record<string, Check>;
