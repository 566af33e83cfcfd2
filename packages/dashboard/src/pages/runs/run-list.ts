// The loaded part of the list: pages by cursor, and live events on top.
import { signal, type ReadonlySignal } from "@preact/signals";
import { hub, type RunFilter } from "../../api/hub.ts";
import type { Event, Run } from "../../api/gen/schema.ts";
import { onEvent } from "../../api/live.ts";
import { foldRun } from "../../state/fold-run.ts";
import { isBeyondRows, rankOf } from "./filter.ts";
import { mergeRuns } from "./merge-runs.ts";

const PAGE = 200;
/** Milliseconds after a run began or ended until the hub is asked what belongs to the list, where only the hub knows. */
const ASK_MS = 1500;

export interface RunListState {
  items: readonly Run[];
  /** Whether there are more runs after the last one. */
  more: boolean;
  loading: boolean;
  error: unknown;
}

export interface RunListStore {
  state: ReadonlySignal<RunListState>;
  loadMore(): Promise<void>;
  drop(ids: ReadonlySet<string>): void;
  close(): void;
}

export function openRunList(filter: RunFilter, limit = PAGE): RunListStore {
  const state = signal<RunListState>({ items: [], more: true, loading: false, error: undefined });
  const stop = new AbortController();
  /** Every run that events or pages have named, even those that the filter leaves out for now. */
  const known = new Map<string, Run>();
  const listed = new Set<string>();
  let cursor: string | undefined;
  let pending: Event[] = [];
  let frame = 0;
  const asks = isBeyondRows(filter);
  const rank = rankOf(filter.order);
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function loadMore(): Promise<void> {
    const { loading, more } = state.peek();
    if (loading || !more) return;
    state.value = { ...state.peek(), loading: true, error: undefined };
    try {
      const page = await hub.runs({ ...filter, cursor, limit }, stop.signal);
      cursor = page.next_cursor ?? undefined;
      const fresh = page.items.filter(({ id }) => !listed.has(id));
      for (const run of fresh) {
        known.set(run.id, run);
        listed.add(run.id);
      }
      const items = [...state.peek().items, ...fresh];
      state.value = { items, more: page.next_cursor !== null, loading: false, error: undefined };
    } catch (error) {
      if (!stop.signal.aborted) state.value = { ...state.peek(), loading: false, error };
    }
  }

  /** Puts runs that came to belong to the list before the first, or where their rank is among those that are loaded. */
  async function askForNew(): Promise<void> {
    timer = undefined;
    const page = await hub.runs({ ...filter, limit }, stop.signal).catch(() => undefined);
    const fresh = page?.items.filter(({ id }) => !listed.has(id)) ?? [];
    for (const run of fresh) {
      known.set(run.id, run);
      listed.add(run.id);
    }
    if (fresh.length === 0) return;
    const items = [...fresh, ...state.peek().items];
    state.value = { ...state.peek(), items: rank ? items.sort((a, b) => rank(b) - rank(a)) : items };
  }

  /** Applies the events that arrived before the screen is drawn again as one change of the list. */
  function apply(): void {
    frame = 0;
    const events = pending;
    pending = [];
    const changed = new Map<string, Run>();
    for (const event of events) {
      const before = known.get(event.run_id);
      if (before === undefined && asks) continue;
      const after = foldRun(before, event);
      if (after === undefined || after === before) continue;
      known.set(after.id, after);
      changed.set(after.id, after);
    }
    if (changed.size === 0) return;
    const before = state.peek();
    const { items, added, dropped } = mergeRuns(before.items, changed, filter, before.more);
    for (const { id } of dropped) listed.delete(id);
    for (const { id } of added) listed.add(id);
    state.value = { ...before, items };
  }

  const off = onEvent((event) => {
    if (asks && filter.order !== "oldest" && event.type.startsWith("run."))
      timer ??= setTimeout(() => void askForNew(), ASK_MS);
    pending.push(event);
    frame ||= requestAnimationFrame(apply);
  });
  void loadMore();
  return {
    state,
    loadMore,
    drop(ids) {
      for (const id of ids) {
        known.delete(id);
        listed.delete(id);
      }
      state.value = { ...state.peek(), items: state.peek().items.filter(({ id }) => !ids.has(id)) };
    },
    close() {
      off();
      stop.abort();
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    },
  };
}
