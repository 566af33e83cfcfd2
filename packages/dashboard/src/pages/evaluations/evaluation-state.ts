// One evaluation as its pages follow it: the document, and a cell for each case. Kept when the reader goes from the table to a case and back,
// so that thousands of cases are read once.
import { signal, type ReadonlySignal } from "@preact/signals";
import { hub } from "../../api/hub.ts";
import type { CaseSummary, Evaluation, EvaluationMatrix } from "../../api/gen/schema.ts";
import { connection, generation, onEvaluation } from "../../api/live.ts";
import { token } from "../../api/token.ts";
import type { MoreOfCell } from "../../api/more.ts";
import type { Verdict } from "../../components/status.tsx";
import { watchLeases } from "./watch-leases.ts";

/** What the table shows of a case. */
export type CaseCell = Pick<
  CaseSummary,
  | "id"
  | "number"
  | "suite"
  | "test_id"
  | "name"
  | "agent"
  | "runs"
  | "flakiness"
  | "cost_usd"
  | "duration_ms"
  | "change"
> & {
  /** Verdict of the case; a report also has the cases that were not run. */
  verdict: Verdict;
  pass_rate: { value: number; low: number; high: number } | null;
  /** What a report says of the case. */
  more?: MoreOfCell;
};

export interface EvaluationState {
  evaluation: ReadonlySignal<Evaluation | undefined>;
  /** Cases by id. Every change makes a new map. */
  cells: ReadonlySignal<ReadonlyMap<string, CaseCell>>;
  /** Whether every case that has settled was read. */
  isRead: ReadonlySignal<boolean>;
  isRemoved: ReadonlySignal<boolean>;
  error: ReadonlySignal<unknown>;
  load(): Promise<void>;
}

interface Opened {
  key: string;
  state: EvaluationState;
  close: () => void;
}

let opened: Opened | undefined;

/** Returns the state of this evaluation, and drops that of another one. */
export function evaluationState(id: string): EvaluationState {
  const key = JSON.stringify([id, generation.value, token.value]);
  if (opened?.key === key) return opened.state;
  opened?.close();
  opened = { key, ...open(id) };
  return opened.state;
}

function open(id: string): Omit<Opened, "key"> {
  const evaluation = signal<Evaluation | undefined>(undefined);
  const cells = signal<ReadonlyMap<string, CaseCell>>(new Map());
  const isRead = signal(false);
  const isRemoved = signal(false);
  const error = signal<unknown>(undefined);
  const stop = new AbortController();
  let arrived: CaseCell[] = [];
  let frame = 0;

  function put(items: readonly CaseCell[]): void {
    const next = new Map(cells.peek());
    for (const cell of items) next.set(cell.id, cell);
    cells.value = next;
  }

  async function load(): Promise<void> {
    try {
      evaluation.value = await hub.evaluation(id, stop.signal);
      for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
        const page = await hub.matrix(id, { cursor }, stop.signal);
        put(cellsOf(page));
        cursor = page.next_cursor ?? undefined;
      }
      isRead.value = true;
      error.value = undefined;
    } catch (cause) {
      if (!stop.signal.aborted) error.value = cause;
    }
  }

  /** Applies the cases that arrived before the screen is drawn again as one change of the table. */
  function apply(): void {
    frame = 0;
    put(arrived);
    arrived = [];
  }

  const off = onEvaluation((event) => {
    if (event.evaluation_id !== id) return;
    if (event.evaluation) evaluation.value = event.evaluation;
    if (event.type === "evaluation.removed") isRemoved.value = true;
    if (event.case === undefined) return;
    arrived.push(event.case);
    frame ||= requestAnimationFrame(apply);
  });
  let wasLost = false;
  const mend = connection.subscribe((state) => {
    if (state === "live" && wasLost) void load();
    wasLost = state === "lost";
  });
  const endWatch = watchLeases(
    () => (evaluation.value === undefined ? [] : [evaluation.value]),
    (next) => (evaluation.value = next),
  );
  void load();
  return {
    state: { evaluation, cells, isRead, isRemoved, error, load },
    close() {
      off();
      mend();
      endWatch();
      stop.abort();
      cancelAnimationFrame(frame);
    },
  };
}

function cellsOf({ tests }: EvaluationMatrix): CaseCell[] {
  return tests.flatMap(({ suite, test_id, name, cells }) =>
    cells.map(({ case_id, pass_rate, low, high, ...cell }) => ({
      ...cell,
      id: case_id,
      suite,
      test_id,
      name,
      pass_rate: pass_rate === null ? null : { value: pass_rate, low: low ?? 0, high: high ?? 1 },
    })),
  );
}
