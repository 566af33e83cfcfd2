// What a goal's log says of its plan and its sub-tasks. The orchestrator goes on from it after a crash, and every view of a goal is
// made of it. Grows in place: a goal may have ten thousand sub-tasks.
import { deny, expiredAnswer } from "./policy.ts";
import type { EventDraft } from "./event.ts";
import type { GoalPlan, RouteDecision, SubtaskAttempt, SubtaskKey, SubtaskStatus } from "./goal.ts";
import type { PlanProblem } from "./plan.ts";
import type { Answer, Question } from "./question.ts";

export interface SubtaskState {
  key: SubtaskKey;
  status: SubtaskStatus;
  attempts: SubtaskAttempt[];
  reason: string | null;
  /** Id of the run whose output counts. */
  outputRunId: string | null;
  /** Id of the run that undid the sub-task. */
  compensationRunId: string | null;
  /** Number of reviews with the verdict `retry`. */
  rounds: number;
}

export interface GoalState {
  plan: GoalPlan | null;
  /** Plans that could not be carried out, oldest first. */
  refused: PlanProblem[][];
  /** Number of items of each `foreach`. */
  items: Map<string, number>;
  subtasks: Map<SubtaskKey, SubtaskState>;
  /** Answers to the goal's own questions, by question id, including answers that the options gave after a question expired. */
  answers: Map<string, Answer>;
  /** Number of runs that were submitted, including those of planners and reviewers. */
  runs: number;
}

export interface GoalFold {
  readonly state: GoalState;
  add(event: EventDraft): void;
}

/** `lean` keeps of each route only how it was found: carrying out thousands of sub-tasks needs no more. */
export function createGoalFold({ lean = false }: { lean?: boolean } = {}): GoalFold {
  const asked = new Map<string, Question>();
  const state: GoalState = {
    plan: null,
    refused: [],
    items: new Map(),
    subtasks: new Map(),
    answers: new Map(),
    runs: 0,
  };

  function subtask(key: SubtaskKey): SubtaskState {
    let found = state.subtasks.get(key);
    if (found === undefined) {
      found = {
        key,
        status: "waiting",
        attempts: [],
        reason: null,
        outputRunId: null,
        compensationRunId: null,
        rounds: 0,
      };
      state.subtasks.set(key, found);
    }
    return found;
  }

  function start({ key, attempt, run_id, agent, route, purpose }: Payload<"subtask.started">): void {
    state.runs += 1;
    const of = subtask(key);
    if (purpose === "review") return;
    if (purpose === "compensate") {
      of.compensationRunId = run_id;
      return;
    }
    of.status = "running";
    // The same attempt may be written again by a hub that was killed in between.
    of.attempts = of.attempts.filter(({ number }) => number !== attempt);
    of.attempts.push({
      number: attempt,
      run_id,
      agent,
      status: null,
      reviews: [],
      ...(route && { route: lean ? leanRoute(route) : route }),
    });
  }

  function retry({ key, attempt, status, failure, next, stop_ms }: Payload<"subtask.retried">): void {
    const of = subtask(key);
    if (next === "review") of.rounds += 1;
    of.status = "waiting";
    const last = of.attempts.find(({ number }) => number === attempt);
    if (last === undefined) return;
    last.status = status;
    if (failure) last.failure = failure;
    if (stop_ms !== undefined) last.stop_ms = stop_ms;
  }

  function review({ key, attempt, ...given }: Payload<"subtask.reviewed">): void {
    const of = subtask(key);
    of.status = "reviewing";
    const last = of.attempts.find(({ number }) => number === attempt);
    last?.reviews.push(given);
  }

  function settle(payload: Payload<"subtask.settled">): void {
    const { key, status, run_id, run_status, failure, reason, stop_ms } = payload;
    const of = subtask(key);
    of.status = status;
    of.reason = reason ?? (failure === undefined ? null : `${failure.code}: ${failure.message}`);
    if (status === "completed") of.outputRunId = run_id ?? null;
    const last = of.attempts.at(-1);
    if (last === undefined || last.run_id !== run_id) return;
    last.status = run_status ?? last.status;
    if (failure) last.failure = failure;
    if (stop_ms !== undefined) last.stop_ms = stop_ms;
  }

  return {
    state,
    add(event) {
      switch (event.type) {
        case "plan.made":
          state.plan = event.payload;
          return;
        case "plan.refused":
          state.refused.push(event.payload.problems);
          return;
        case "subtask.expanded":
          state.items.set(event.payload.task, event.payload.items);
          subtask(event.payload.task).status = "running";
          return;
        case "subtask.started":
          return start(event.payload);
        case "subtask.retried":
          return retry(event.payload);
        case "subtask.reviewed":
          return review(event.payload);
        case "subtask.settled":
          return settle(event.payload);
        case "question.asked":
          asked.set(event.payload.question.id, event.payload.question);
          return;
        case "question.answered":
          state.answers.set(event.payload.id, event.payload.answer);
          return;
        case "question.expired": {
          const { id, answer } = event.payload;
          const question = asked.get(id);
          if (question && !state.answers.has(id))
            state.answers.set(id, answer ?? expiredAnswer(id, deny(question)));
          return;
        }
        default:
          return;
      }
    },
  };
}

function leanRoute({ agent, by, capability, considered, refused }: RouteDecision): RouteDecision {
  const known = { agent, by, candidates: [], rejected: [], considered, refused };
  return capability === undefined ? known : { ...known, capability };
}

type Payload<T extends EventDraft["type"]> = Extract<EventDraft, { type: T }>["payload"];

/** Returns whether nothing more happens to a sub-task. */
export function isSettled(status: SubtaskStatus): boolean {
  return status !== "waiting" && status !== "running" && status !== "reviewing";
}
