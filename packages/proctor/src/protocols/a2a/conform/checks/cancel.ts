// Rules about cancelling. How long it takes is measured and shown, and judges nothing.
import { uuidV7 } from "../../../../core/id.ts";
import { isTerminalState } from "../../states.ts";
import { end } from "../../../../conformance/demand.ts";
import { anyway, assume, demand, KEPT, overEach, type Check } from "../finding.ts";
import { endOf, heardTask } from "../heard-task.ts";
import { demandRefusal, describeError, taskIn, valueOf } from "../judgement.ts";
import { openTask } from "../open-task.ts";

const CANCELED = "TASK_STATE_CANCELED";

export const CANCEL_CHECKS = {
  "a2a.cancel.state": overEach(anyway, async (endpoint, trial) => {
    const { id } = await openTask(trial, endpoint);
    const attempt = await trial.cancelTask(endpoint, id);
    // Section 3.1.5 leaves it to the agent at which stage it can.
    const mayCancel = attempt.error?.reason !== "TASK_NOT_CANCELABLE";
    assume(mayCancel, "the agent cannot cancel the task at this stage", attempt.transcript);
    const got = valueOf(attempt).status.state;
    demand(got === CANCELED, "the task is not canceled", attempt.transcript, { expected: CANCELED, got });
    const read = await trial.getTask(endpoint, id);
    const later = read.value?.status.state ?? describeError(read);
    demand(later === CANCELED, "the task is not canceled when it is read", read.transcript, {
      expected: CANCELED,
      got: later,
    });
  }),
  "a2a.cancel.silence": overEach(anyway, async (endpoint, trial) => {
    const { id } = await openTask(trial, endpoint);
    let cancelledAt = 0;
    const heard = await trial.subscribe(endpoint, id, {
      onFrame(_frame, frames) {
        if (frames.length > 1) return;
        cancelledAt = performance.now();
        void trial.cancelTask(endpoint, id);
      },
    });
    const tookMs = Math.round(performance.now() - cancelledAt);
    const { frames, transcript, timedOut } = heard;
    assume(frames.length > 0, `no subscription: ${describeError(heard)}`, transcript);
    const got = heardTask(frames).states.join(", ");
    const { hasEnded, late } = endOf(frames);
    demand(!timedOut, "the stream stays open", transcript, { expected: "a closed stream", got });
    demand(hasEnded, "the stream closed without the end of the task", transcript, {
      expected: CANCELED,
      got,
    });
    demand(late.length === 0, "something follows the end of the task", transcript, {
      expected: "silence",
      got: `${late.length} more frames`,
    });
    end({ ...KEPT, got: `silent ${tookMs} ms after the cancel was sent` });
  }),
  "a2a.cancel.finished": overEach(anyway, async (endpoint, trial) => {
    const { id, status } = taskIn(await trial.plain(endpoint));
    assume(isTerminalState(status.state), "the task has not ended");
    demandRefusal(await trial.cancelTask(endpoint, id), "TASK_NOT_CANCELABLE");
  }),
  "a2a.cancel.unknown": overEach(anyway, async (endpoint, trial) =>
    demandRefusal(await trial.cancelTask(endpoint, uuidV7()), "TASK_NOT_FOUND"),
  ),
} satisfies Record<string, Check>;
