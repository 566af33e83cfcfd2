// A run's row as its status events change it, so that a list of thousands follows without asking. What a list does not show is left as it was;
// the run's own page asks for the whole.
import type { Event, Run, RunStatus } from "../api/gen/schema.ts";

/** Returns the run after the event; undefined when the event does not hold enough to show one. */
export function foldRun(run: Run | undefined, event: Event): Run | undefined {
  const { type, payload, timestamp } = event;
  if (type === "run.created") return run ?? created(event);
  if (run === undefined) return undefined;
  switch (type) {
    case "run.queued":
      return { ...run, status: "queued" };
    case "run.started":
      return { ...run, status: "running", started_at: run.started_at ?? timestamp };
    case "run.paused":
      return { ...run, status: "paused" };
    case "run.resumed":
      return { ...run, status: "running" };
    case "question.asked": {
      const question = payload["question"] as Run["questions"][number];
      const questions = [...run.questions.filter(({ id }) => id !== question.id), question];
      return { ...run, questions, ...(question.blocking && run.ended_at === null && { status: "waiting" }) };
    }
    case "question.answered":
    case "question.withdrawn":
    case "question.expired": {
      const questions = run.questions.filter(({ id }) => id !== payload["id"]);
      const goesOn = run.status === "waiting" && !questions.some(({ blocking }) => blocking);
      return { ...run, questions, ...(goesOn && { status: "running" }) };
    }
    case "run.ended":
      return {
        ...run,
        status: payload["status"] as RunStatus,
        ended_at: timestamp,
        questions: [],
        failure: (payload["failure"] as Run["failure"] | undefined) ?? null,
        metrics: (payload["metrics"] as Run["metrics"] | undefined) ?? run.metrics,
        retried_as: (payload["retried_as"] as string | undefined) ?? null,
      };
    default:
      return run;
  }
}

/** Returns a new run. The payload of `run.created` has what was asked; everything else is empty. */
function created({ run_id, payload, timestamp }: Event): Run {
  const asked = payload as Partial<Run>;
  return {
    options: {},
    alias: null,
    retry: null,
    attempt: 1,
    retry_of: null,
    context: {},
    constraints: {},
    metadata: {},
    follows: null,
    parent_id: null,
    trace_id: "",
    parent_span_id: null,
    agent: "",
    task: { description: "" },
    ...asked,
    id: run_id,
    status: "created",
    retried_as: null,
    conversation_id: asked.conversation_id ?? run_id,
    root_id: asked.root_id ?? run_id,
    questions: [],
    created_at: timestamp,
    started_at: null,
    ended_at: null,
    metrics: {},
    artifacts: [],
    failure: null,
    extensions: null,
    violations: [],
  };
}
