// Rules about cancelling. How long it takes is measured and shown, and judges nothing.
import { uuidV7 } from "../../../../core/id.ts";
import { isTerminalState } from "../../states.ts";
import { anyway, broken, KEPT, noOccasion, overEach, type Check } from "../finding.ts";
import { heardTask } from "../heard-task.ts";
import { describeError, isFinding, refusedWith, taskIn } from "../judgement.ts";
import { openTask } from "../open-task.ts";

const CANCELED = "TASK_STATE_CANCELED";

export const CANCEL_CHECKS = {
  "a2a.cancel.state": (trial) =>
    overEach(trial, anyway, async (endpoint) => {
      const task = await openTask(trial, endpoint);
      if (isFinding(task)) return task;
      const { id } = task;
      const attempt = await trial.ask(endpoint, (service, call) => service.cancelTask({ id }, call));
      // Section 3.1.5 leaves it to the agent at which stage it can.
      if (attempt.error?.reason === "TASK_NOT_CANCELABLE")
        return noOccasion("the agent cannot cancel the task at this stage", attempt.transcript);
      if (attempt.value === undefined) return broken(describeError(attempt), attempt.transcript);
      const { state } = attempt.value.status;
      if (state !== CANCELED)
        return broken("the task is not canceled", attempt.transcript, { expected: CANCELED, got: state });
      const read = await trial.ask(endpoint, (service, call) => service.getTask({ id }, call));
      const later = read.value?.status.state ?? describeError(read);
      return later === CANCELED
        ? KEPT
        : broken("the task is not canceled when it is read", read.transcript, {
            expected: CANCELED,
            got: later,
          });
    }),
  "a2a.cancel.silence": (trial) =>
    overEach(trial, anyway, async (endpoint) => {
      const task = await openTask(trial, endpoint);
      if (isFinding(task)) return task;
      const { id } = task;
      let cancelledAt = 0;
      const heard = await trial.listen(endpoint, (service, call) => service.subscribe({ id }, call), {
        onFrame(_frame, frames) {
          if (frames.length > 1) return;
          cancelledAt = performance.now();
          void trial.ask(endpoint, (service, call) => service.cancelTask({ id }, call));
        },
      });
      const tookMs = Math.round(performance.now() - cancelledAt);
      if (heard.frames.length === 0)
        return noOccasion(`no subscription: ${describeError(heard)}`, heard.transcript);
      const { states } = heardTask(heard.frames);
      const ended = heard.frames.findIndex(({ event }) =>
        isTerminalState(event.statusUpdate?.status.state ?? event.task?.status.state ?? ""),
      );
      const late = heard.frames.slice(ended + 1).filter(({ event }) => event.task === undefined);
      if (heard.timedOut)
        return broken("the stream stays open", heard.transcript, {
          expected: "a closed stream",
          got: states.join(", "),
        });
      if (ended === -1)
        return broken("the stream closed without the end of the task", heard.transcript, {
          expected: CANCELED,
          got: states.join(", "),
        });
      if (late.length > 0)
        return broken("something follows the end of the task", heard.transcript, {
          expected: "silence",
          got: `${late.length} more frames`,
        });
      return { ...KEPT, got: `silent ${tookMs} ms after the cancel was sent` };
    }),
  "a2a.cancel.finished": (trial) =>
    overEach(trial, anyway, async (endpoint) => {
      const task = taskIn(await trial.plain(endpoint));
      if (isFinding(task)) return task;
      if (!isTerminalState(task.status.state)) return noOccasion("the task has not ended");
      return refusedWith(
        await trial.ask(endpoint, (service, call) => service.cancelTask({ id: task.id }, call)),
        "TASK_NOT_CANCELABLE",
      );
    }),
  "a2a.cancel.unknown": (trial) =>
    overEach(trial, anyway, async (endpoint) =>
      refusedWith(
        await trial.ask(endpoint, (service, call) => service.cancelTask({ id: uuidV7() }, call)),
        "TASK_NOT_FOUND",
      ),
    ),
} satisfies Record<string, Check>;
