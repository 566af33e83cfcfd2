// Asks which two runs to compare, and offers the newest.
import { useState } from "preact/hooks";
import { hub } from "../../api/hub.ts";
import { shortId } from "../../components/format.ts";
import { useLoad } from "../../state/use-load.ts";
import type { QueryState } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { taskLine } from "../runs/run-row.tsx";

const OFFERED = 50;

export function ChooseRuns({ a, b, query }: { a: string; b: string; query: QueryState }) {
  const [first, setFirst] = useState(a);
  const [second, setSecond] = useState(b);
  const runs = useLoad("offered", (signal) => hub.runs({ limit: OFFERED }, signal)).value?.items ?? [];
  const field = (label: string, value: string, change: (value: string) => void) => (
    <label class="field">
      <span>{label}</span>
      <input
        required
        list="offered-runs"
        class="mono"
        value={value}
        onInput={({ currentTarget }) => change(currentTarget.value.trim())}
      />
    </label>
  );
  return (
    <form
      class="stack choose"
      onSubmit={(event) => {
        event.preventDefault();
        query.set({ a: first, b: second });
      }}
    >
      <p class="quiet">{texts.compare.choose}</p>
      {field(texts.compare.a, first, setFirst)}
      {field(texts.compare.b, second, setSecond)}
      <datalist id="offered-runs">
        {runs.map((run) => (
          <option key={run.id} value={run.id}>
            {`${taskLine(run)} (${run.agent}, ${shortId(run.id)})`}
          </option>
        ))}
      </datalist>
      <div>
        <button type="submit" class="button main">
          {texts.compare.go}
        </button>
      </div>
    </form>
  );
}
