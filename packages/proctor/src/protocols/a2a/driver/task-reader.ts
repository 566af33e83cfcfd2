// What an agent says about a task, as reports: frames of a stream and snapshots alike, each thing once. Knows where the task stands; what
// is done about it (asking again, parking, ending) is left to others.
import type { Json } from "../../../core/json.ts";
import type { Metrics } from "../../../core/metrics.ts";
import type { AgentReport } from "../../../core/ports/driver.ts";
import {
  TASK_STATES,
  type A2aMessage,
  type A2aTask,
  type ArtifactUpdate,
  type StatusUpdate,
  type StreamResponse,
  type TaskState,
  type TaskStatus,
} from "../model.ts";
import { isInterruptedState, isTerminalState } from "../states.ts";
import { createAnswerText } from "./answer-text.ts";
import { createArtifacts } from "./artifacts.ts";
import { createHeard } from "./heard.ts";
import { createMessages, decodeMessage } from "./messages.ts";
import { createQuestions, type Questions } from "./questions.ts";
import { ruleReport, unknownReport } from "./reports.ts";
import { messageKey } from "./same-message.ts";
import { metricsIn } from "./usage.ts";

export interface TaskReader {
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
  /** Last status of the task; undefined before the agent said anything about a task. */
  readonly status: TaskStatus | undefined;
  /** True when the agent answered with a message instead of a task. */
  readonly answered: boolean;
  /** True when a message came, and nothing about the task that it names: it is the answer if nothing more comes, which `settle` decides. */
  readonly isLone: boolean;
  settle(): void;
  readonly questions: Questions;
  readonly metrics: Metrics;
  /** Counter that grows with everything new. */
  readonly news: number;
  /** Returns whether the task's history has a message of ours. */
  hasFromUs(message: A2aMessage): boolean;
  take(event: StreamResponse): AgentReport[];
  /** From now on, artifacts are taken from snapshots: events may come twice. */
  distrustArtifacts(): void;
  /** Returns the agent's reason for the end, in its own words. */
  lastWords(): string | undefined;
  /** Returns what remains to be reported when nothing more comes. */
  conclude(): AgentReport[];
  /** Returns the state from which reading can continue. */
  state(): ReaderState;
}

export interface ReaderState {
  taskId?: string;
  contextId?: string;
  /** The last state that was reported. */
  state?: TaskState;
  heard: Json;
  questions: Json;
}

/** With `isPending` messages or answers of an earlier session are still to come. */
export function createTaskReader(before?: Partial<ReaderState>, isPending = false): TaskReader {
  const heard = createHeard(before?.heard);
  const answer = createAnswerText();
  const artifacts = createArtifacts({ heard, answer });
  const messages = createMessages({ heard, answer });
  let taskId = before?.taskId;
  let contextId = before?.contextId;
  const questions = createQuestions(() => taskId ?? "", before?.questions, isPending);
  let status: TaskStatus | undefined;
  let reported = before?.state;
  /** Keys of our messages in the task's history. */
  const fromUs = new Set<string>();
  let answered = false;
  let hasMessage = false;
  let distrusted = false;
  let metrics: Metrics = {};
  let news = 0;

  /** The first task that is named is ours; another one is noted, and what it says is taken. */
  function identify(named: string, context: string | undefined, where: string): AgentReport[] {
    const reports: AgentReport[] = [];
    if (taskId === undefined && named !== "") taskId = named;
    else if (named !== "" && named !== taskId) {
      reports.push(ruleReport("a2a.task_id", "it names another task; it is taken", where));
    }
    if (context === undefined || context === "") return reports;
    if (contextId !== undefined && context !== contextId) {
      reports.push(ruleReport("a2a.context_id", "it names another context than before", where));
    }
    contextId ??= context;
    return reports;
  }

  /** With `isEvent` the agent has just said so; otherwise the task was found in this state. */
  function takeStatus(next: TaskStatus, isEvent: boolean): AgentReport[] {
    const { state, message } = next;
    const reports: AgentReport[] = [];
    if (status !== undefined && isTerminalState(status.state) && state !== status.state) {
      return [ruleReport("a2a.stream.after_end", `${state} came after the task had ended`, "status")];
    }
    if (!isKnownState(state)) {
      reports.push(ruleReport("a2a.state", `${shortly(state)} is no state of a task`, "status"));
    }
    status = next;
    if (state !== reported) reports.push(stateReport(state));
    reported = state;
    if (isInterruptedState(state)) {
      if (message) messages.note(message);
      return [...reports, ...questions.ask(next, isEvent)];
    }
    if (state !== UNSPECIFIED) reports.push(...questions.goOn());
    if (message) reports.push(...messages.take(message));
    return reports;
  }

  function takeTask(task: A2aTask): AgentReport[] {
    const { id, contextId: context, status: next, history = [], artifacts: kept = [], metadata } = task;
    const reports = identify(id, context, "task");
    metrics = { ...metrics, ...metricsIn(metadata) };
    const isFinal = isTerminalState(next.state);
    // A question is not reported as a message, though the history may have it.
    if (isInterruptedState(next.state) && next.message) messages.note(next.message);
    const said = history.filter(({ role }) => role === "ROLE_AGENT");
    for (const message of history) if (message.role === "ROLE_USER") fromUs.add(messageKey(message));
    if (!isInterruptedState(next.state)) reports.push(...questions.goOn());
    reports.push(...said.flatMap((message) => messages.take(message)));
    reports.push(...kept.flatMap((artifact) => artifacts.snapshot(artifact, isFinal)));
    return [...reports, ...takeStatus(next, false)];
  }

  function takeStatusUpdate({ taskId: id, contextId: context, status: next, metadata }: StatusUpdate) {
    const reports = identify(id, context, "statusUpdate");
    metrics = { ...metrics, ...metricsIn(metadata), ...metricsIn(next.message?.metadata) };
    return [...reports, ...takeStatus(next, true)];
  }

  function takeArtifactUpdate(update: ArtifactUpdate): AgentReport[] {
    const reports = identify(update.taskId, update.contextId, "artifactUpdate");
    if (status !== undefined && isTerminalState(status.state)) {
      reports.push(
        ruleReport("a2a.stream.after_end", "an artifact came after the task had ended", "artifactUpdate"),
      );
    }
    metrics = { ...metrics, ...metricsIn(update.metadata) };
    return distrusted ? reports : [...reports, ...artifacts.update(update)];
  }

  function takeMessage(message: A2aMessage): AgentReport[] {
    const reports = identify(message.taskId ?? "", message.contextId, "message");
    answered ||= message.taskId === undefined && taskId === undefined;
    hasMessage = true;
    metrics = { ...metrics, ...metricsIn(message.metadata) };
    return [...reports, ...messages.take(message)];
  }

  function takeAny(event: StreamResponse): AgentReport[] {
    if (event.task) return takeTask(event.task);
    if (event.statusUpdate) return takeStatusUpdate(event.statusUpdate);
    if (event.artifactUpdate) return takeArtifactUpdate(event.artifactUpdate);
    if (event.message) return takeMessage(event.message);
    return [
      ruleReport("a2a.event", "an event of a kind that 1.0 does not have; it is kept", "stream"),
      unknownReport("event", event),
    ];
  }

  return {
    get taskId() {
      return taskId;
    },
    get contextId() {
      return contextId;
    },
    get status() {
      return status;
    },
    get answered() {
      return answered;
    },
    get isLone() {
      return hasMessage && status === undefined;
    },
    settle: () => (answered = true),
    get metrics() {
      return metrics;
    },
    get news() {
      return news;
    },
    questions,
    hasFromUs: (message) => fromUs.has(messageKey(message)),
    take(event) {
      const reports = takeAny(event);
      news += reports.length;
      return reports;
    },
    distrustArtifacts: () => (distrusted = true),
    lastWords() {
      const texts = status?.message ? decodeMessage(status.message).message.parts : [];
      const words = texts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n");
      return words === "" ? undefined : words;
    },
    conclude: () => [...artifacts.end(), ...answer.report()],
    state: () => ({
      ...(taskId !== undefined && { taskId }),
      ...(contextId !== undefined && { contextId }),
      ...(reported !== undefined && { state: reported }),
      heard: heard.state(),
      questions: questions.state(),
    }),
  };
}

const UNSPECIFIED: TaskState = "TASK_STATE_UNSPECIFIED";

function isKnownState(state: TaskState): boolean {
  return state !== UNSPECIFIED && TASK_STATES.some((known) => known === state);
}

const MAX_SHOWN_CHARS = 100;

function shortly(text: string): string {
  return text.length > MAX_SHOWN_CHARS ? `(${text.length} characters)` : JSON.stringify(text);
}

function stateReport(state: TaskState): AgentReport {
  const to_state = state.replace(/^TASK_STATE_/, "").toLowerCase();
  return { kind: "event", event: { type: "state_change", payload: { to_state } } };
}
