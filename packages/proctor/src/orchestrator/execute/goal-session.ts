// A goal at work: what it reports to the engine, what it asks, and how it is paused and stopped. What is done is left to others.
import type { EventDraft } from "../../core/event.ts";
import { failure, type Failure } from "../../core/failure.ts";
import { createGoalFold } from "../../core/fold-goal.ts";
import { createGate } from "../../core/gate.ts";
import type { GoalOptions } from "../../core/goal.ts";
import { messageOf } from "../../core/message-of.ts";
import type { AgentEnd, AgentEventDraft, AgentSession, Job, StopSignals } from "../../core/ports/driver.ts";
import type { Answer, NewQuestion } from "../../core/question.ts";
import { readLog } from "../../core/read-log.ts";
import { whenAborted } from "../../core/when-aborted.ts";
import { questionFor } from "../review/approvals.ts";
import { carryOutGoal } from "./carry-out-goal.ts";
import { createChildRuns } from "./child-runs.ts";
import type { GoalContext, OrchestratorDeps } from "./context.ts";
import { createReportQueue } from "./report-queue.ts";

/** Never resolves: a session that was left does nothing more. */
const NEVER = new Promise<never>(() => undefined);

export function createGoalSession(deps: OrchestratorDeps, job: Job, signals: StopSignals): AgentSession {
  const { hub, clock } = deps;
  const reports = createReportQueue();
  const fold = createGoalFold({ lean: true });
  const children = createChildRuns({
    hub,
    onEnded: deps.onEnded,
    clock,
    goalId: job.runId,
    traceId: job.traceId,
  });
  const stopping = new AbortController();
  /** Functions that wait for an answer, by the id of the question; `early` has answers that came before the question. */
  const asking = new Map<string, (answer: Answer) => void>();
  const early = new Map<string, Answer>();
  let because: Failure | undefined;
  let isLeft = false;
  const gate = createGate();

  async function record(event: EventDraft): Promise<void> {
    if (isLeft) return NEVER;
    fold.add(event);
    // The orchestrator writes events of plans and sub-tasks, and no others.
    await reports.push({ kind: "event", event: event as AgentEventDraft });
  }

  async function ask(question: NewQuestion): Promise<Answer> {
    const { id } = question;
    const known = fold.state.answers.get(id) ?? early.get(id);
    if (known !== undefined) return known;
    if (because !== undefined) return stoppedAnswer(id);
    const answered = new Promise<Answer>((resolve) => asking.set(id, resolve));
    const { approvals = {} } = context.options;
    await reports.push({ kind: "question", question: questionFor(approvals, question, clock.now()) });
    return answered;
  }

  function stop(reason: Failure): void {
    if (because !== undefined) return;
    because = reason;
    gate.open();
    stopping.abort();
    void children.stop(reason.message);
    for (const [id, resolve] of asking) resolve(stoppedAnswer(id));
    asking.clear();
  }

  const context: GoalContext = {
    deps,
    job,
    goal: job.task.description,
    options: optionsOf(job),
    fold,
    children,
    record,
    async keep(name, data) {
      if (isLeft) return NEVER;
      await reports.push({ kind: "artifact", artifact: { type: "structured", name, data } });
    },
    ask,
    stopped: () => because,
    stop,
    going: () => gate.opened(),
    signal: stopping.signal,
  };

  async function perform(): Promise<AgentEnd> {
    // From now on the session can be opened again by another process.
    await reports.push({ kind: "session", continuation: { goal: job.runId } });
    for await (const event of readLog(hub, job.runId)) fold.add(event);
    return carryOutGoal(context);
  }

  void whenAborted(signals.cancel).then(() => {
    // A caller that leaves the session aborts both signals: another process goes on, and the runs below are left as they are.
    if (!signals.kill.aborted) stop(failure("CANCELLED", "the goal was stopped"));
  });
  void whenAborted(signals.kill).then(() => {
    isLeft = true;
    finish({ status: "cancelled", failure: failure("CANCELLED", "the goal was left") });
  });
  perform()
    .catch((error: unknown): AgentEnd => {
      deps.report(error, job.runId);
      const message = `the goal could not be carried out: ${messageOf(error)}`;
      return { status: "failed", failure: failure("INTERNAL_ERROR", message) };
    })
    .then(finish, () => undefined);

  function finish(end: AgentEnd): void {
    void reports.push({ kind: "end", end });
    reports.end();
    children.close();
  }

  return {
    [Symbol.asyncIterator]: () => reports[Symbol.asyncIterator](),
    pause() {
      if (gate.closed || because !== undefined) return;
      gate.close();
      void children.pause();
    },
    resume() {
      gate.open();
      void children.resume();
    },
    answer(id, answer) {
      const resolve = asking.get(id);
      if (resolve === undefined) early.set(id, answer);
      asking.delete(id);
      resolve?.(answer);
      return Promise.resolve();
    },
  };
}

/** Returns the goal's options. Those of an agent that is a template are the default, and the input of its task holds the parameters. */
function optionsOf({ spec, options, task }: Job): GoalOptions {
  // They were checked when the agent was added.
  const own = (spec.options ?? {}) as GoalOptions;
  const given = options?.goal ?? {};
  const params = { ...own.params, ...task.input_data, ...given.params };
  // The goal around this one says which model the runs of both have.
  const { llm } = options ?? {};
  return { ...(llm && { llm }), ...own, ...given, ...(Object.keys(params).length > 0 && { params }) };
}

function stoppedAnswer(id: string): Answer {
  return { id: `stopped:${id}`, by: { kind: "policy" }, outcome: "declined" };
}
