// The loaded part of the list: pages by cursor, and live events on top.
import { signal, type ReadonlySignal } from "@preact/signals";
import { hub, type RunFilter } from "../../api/hub.ts";
import type { Event, Run } from "../../api/gen/schema.ts";
import { onEvent } from "../../api/live.ts";
import { foldRun } from "../../state/fold-run.ts";
import { fits, isBeyondRows } from "./filter.ts";

const PAGE = 200;
/** Where only the hub knows what belongs to the list, it is asked this long after a run began or ended, however many did. */
const ASK_MS = 1500;

export interface RunListState {
  items: readonly Run[];
  /** Whether there are more behind the last. */
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
  const places = new Map<string, Run>();
  let cursor: string | undefined;
  let pending: Event[] = [];
  let frame = 0;
  const asks = isBeyondRows(filter);
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function loadMore(): Promise<void> {
    const { loading, more } = state.peek();
    if (loading || !more) return;
    state.value = { ...state.peek(), loading: true, error: undefined };
    try {
      const page = await hub.runs({ ...filter, cursor, limit }, stop.signal);
      cursor = page.next_cursor ?? undefined;
      const fresh = page.items.filter(({ id }) => !places.has(id));
      for (const run of fresh) places.set(run.id, run);
      const items = [...state.peek().items, ...fresh];
      state.value = { items, more: page.next_cursor !== null, loading: false, error: undefined };
    } catch (error) {
      if (!stop.signal.aborted) state.value = { ...state.peek(), loading: false, error };
    }
  }

  /** Puts runs before the first that came to belong to the list. */
  async function askForNew(): Promise<void> {
    timer = undefined;
    const page = await hub.runs({ ...filter, limit }, stop.signal).catch(() => undefined);
    const fresh = page?.items.filter(({ id }) => !places.has(id)) ?? [];
    for (const run of fresh) places.set(run.id, run);
    if (fresh.length > 0) state.value = { ...state.peek(), items: [...fresh, ...state.peek().items] };
  }

  /** Many events of one frame are one change of the list. */
  function apply(): void {
    frame = 0;
    const events = pending;
    pending = [];
    const added: Run[] = [];
    const changed = new Set<string>();
    for (const event of events) {
      const before = places.get(event.run_id);
      if (before === undefined && asks) continue;
      const after = foldRun(before, event);
      if (after === undefined || after === before) continue;
      if (before === undefined) added.unshift(after);
      places.set(after.id, after);
      changed.add(after.id);
    }
    if (changed.size === 0) return;
    const { items, more } = state.peek();
    const known = items.map((run) => (changed.has(run.id) ? (places.get(run.id) ?? run) : run));
    const fresh = added.map((run) => places.get(run.id) ?? run);
    // Oldest first: new runs are behind the last page, and come with it.
    const all =
      filter.order === "oldest" ? [...known, ...(more ? [] : fresh.reverse())] : [...fresh, ...known];
    const fitting = all.filter((run) => fits(run, filter));
    state.value = { ...state.peek(), items: fitting };
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
      for (const id of ids) places.delete(id);
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
