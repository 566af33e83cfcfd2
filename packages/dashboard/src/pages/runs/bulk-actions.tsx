// What can be done with many runs at once: cancel, remove, compare two, export.
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { pagePath } from "../../api/address.ts";
import { hub, type RunFilter } from "../../api/hub.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { tell } from "../../components/toast.tsx";
import { texts } from "../../texts.ts";
import { exportRuns } from "./export-runs.ts";
import type { RunListStore } from "./run-list.ts";

interface BulkActionsProps {
  list: RunListStore;
  filter: RunFilter;
  selected: ReadonlySet<string>;
  onSelect: (ids: readonly string[]) => void;
}

/** Number of requests at a time: a browser keeps six connections, and one is the live stream. */
const AT_ONCE = 4;

export function BulkActions({ list, filter, selected, onSelect }: BulkActionsProps) {
  const { route } = useLocation();
  const [removing, setRemoving] = useState(false);
  const ids = [...selected];

  async function forEach(act: (id: string) => Promise<unknown>): Promise<Set<string>> {
    const queue = [...ids];
    const done = new Set<string>();
    const work = async (): Promise<void> => {
      for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
        const current = id;
        await act(current).then(
          () => done.add(current),
          () => undefined,
        );
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    tell(texts.runs.done(done.size, ids.length - done.size));
    onSelect([]);
    return done;
  }

  async function remove(): Promise<void> {
    setRemoving(false);
    list.drop(await forEach((id) => hub.removeRun(id)));
  }

  const save = (format: "csv" | "json") =>
    exportRuns(filter, format, (read) => tell(texts.runs.exporting(read)));

  return (
    <div class="actions">
      {ids.length > 0 ? (
        <>
          <span class="quiet">{texts.runs.selected(ids.length)}</span>
          <Button kind="plain" onPress={() => onSelect(list.state.value.items.map(({ id }) => id))}>
            {texts.runs.selectAll}
          </Button>
          {ids.length === 2 && (
            <Button onPress={() => route(pagePath("compare", { a: ids[0], b: ids[1] }))}>
              {texts.runs.compare}
            </Button>
          )}
          <Button onPress={() => forEach((id) => hub.control(id, "cancel"))}>
            {texts.runs.cancelSelected}
          </Button>
          <Button kind="danger" onPress={() => setRemoving(true)}>
            {texts.runs.removeSelected}
          </Button>
        </>
      ) : (
        <>
          <Button kind="plain" title={texts.runs.export} onPress={() => save("csv")}>
            {texts.runs.exportCsv}
          </Button>
          <Button kind="plain" title={texts.runs.export} onPress={() => save("json")}>
            {texts.runs.exportJson}
          </Button>
        </>
      )}
      {removing && (
        <Dialog title={texts.runs.removeSelected} onClose={() => setRemoving(false)}>
          <p>{texts.runs.removeQuestion(ids.length)}</p>
          <div class="row-of-buttons">
            <Button onPress={() => setRemoving(false)}>{texts.cancel}</Button>
            <Button kind="danger" onPress={remove}>
              {texts.runs.remove}
            </Button>
          </div>
        </Dialog>
      )}
    </div>
  );
}
