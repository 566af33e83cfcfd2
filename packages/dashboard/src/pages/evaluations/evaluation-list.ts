// The loaded part of the list of evaluations: pages by cursor, and what changes live.
import { signal, type ReadonlySignal } from "@preact/signals";
import { hub } from "../../api/hub.ts";
import type { Evaluation } from "../../api/gen/schema.ts";
import { onEvaluation } from "../../api/live.ts";
import { watchLeases } from "./watch-leases.ts";

const PAGE = 50;

export interface EvaluationFilter {
  suite?: string;
  agent?: string;
  status?: string;
}

export interface EvaluationListState {
  items: readonly Evaluation[];
  more: boolean;
  loading: boolean;
  error: unknown;
}

export interface EvaluationListStore {
  state: ReadonlySignal<EvaluationListState>;
  loadMore(): Promise<void>;
  close(): void;
}

export function openEvaluationList(filter: EvaluationFilter): EvaluationListStore {
  const state = signal<EvaluationListState>({ items: [], more: true, loading: false, error: undefined });
  const stop = new AbortController();
  let cursor: string | undefined;

  async function loadMore(): Promise<void> {
    const { loading, more } = state.peek();
    if (loading || !more) return;
    state.value = { ...state.peek(), loading: true, error: undefined };
    try {
      const page = await hub.evaluations({ ...filter, cursor, limit: PAGE }, stop.signal);
      cursor = page.next_cursor ?? undefined;
      const known = new Set(state.peek().items.map(({ id }) => id));
      const items = [...state.peek().items, ...page.items.filter(({ id }) => !known.has(id))];
      state.value = { items, more: page.next_cursor !== null, loading: false, error: undefined };
    } catch (error) {
      if (!stop.signal.aborted) state.value = { ...state.peek(), loading: false, error };
    }
  }

  function put(evaluation: Evaluation): void {
    const before = state.peek();
    const isKnown = before.items.some(({ id }) => id === evaluation.id);
    const items = isKnown
      ? before.items.map((item) => (item.id === evaluation.id ? evaluation : item))
      : [evaluation, ...before.items];
    state.value = { ...before, items: items.filter((item) => fits(item, filter)) };
  }

  const off = onEvaluation(({ type, evaluation_id, evaluation }) => {
    const before = state.peek();
    if (type === "evaluation.removed") {
      state.value = { ...before, items: before.items.filter(({ id }) => id !== evaluation_id) };
    }
    if (evaluation !== undefined) put(evaluation);
  });
  const endWatch = watchLeases(() => state.value.items, put);
  void loadMore();
  return {
    state,
    loadMore,
    close() {
      off();
      endWatch();
      stop.abort();
    },
  };
}

function fits({ suites, agents, status }: Evaluation, filter: EvaluationFilter): boolean {
  return (
    (filter.suite === undefined || suites.some(({ name }) => name === filter.suite)) &&
    (filter.agent === undefined || agents.includes(filter.agent)) &&
    (filter.status === undefined || filter.status.split(",").includes(status))
  );
}
