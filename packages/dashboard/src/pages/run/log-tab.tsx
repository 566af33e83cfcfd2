// The log, live: every event in a line, or as it was recorded. What is not seen is not read, unless a search needs it.
import { useEffect, useMemo } from "preact/hooks";
import type { Event } from "../../api/gen/schema.ts";
import { describeEvent, EVENT_KINDS, kindOf } from "../../components/describe-event.ts";
import { EventRow } from "../../components/event-row.tsx";
import { count } from "../../components/format.ts";
import { VirtualRows } from "../../components/virtual-rows.tsx";
import { useKeys } from "../../state/keys.ts";
import type { RunLog } from "../../state/run-log.ts";
import { useQuery } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { MOST_READ, ReadMore } from "./read-more.tsx";
import { isOver } from "./run-actions.tsx";
import type { RunTabProps } from "./run-page.tsx";

const ROW_HEIGHT = 28;

export function LogTab({ run, log, raw = false }: RunTabProps & { raw?: boolean }) {
  const query = useQuery();
  const kinds = query.get("kind").split(",").filter(Boolean);
  const search = query.get("find").toLowerCase();
  const isFiltered = kinds.length > 0 || search !== "";
  const events = log.events.value;
  useEffect(() => void (isFiltered && log.readAll(MOST_READ)), [isFiltered]);
  useKeys([{ key: "/", does: texts.keys.search, act: () => document.getElementById("find")?.focus() }]);
  const found = useMemo(
    () => (isFiltered ? filtered(events, kinds, search) : undefined),
    [events, query.get("kind"), search],
  );
  const toggle = (kind: string): void => {
    const next = kinds.includes(kind) ? kinds.filter((name) => name !== kind) : [...kinds, kind];
    query.set({ kind: next.join(",") }, "replace");
  };
  return (
    <div class="log-tab">
      <div class="filter-row">
        <input
          id="find"
          type="search"
          class="input search"
          placeholder={texts.run.find}
          aria-label={texts.run.find}
          value={query.get("find")}
          onInput={({ currentTarget }) => query.set({ find: currentTarget.value }, "replace")}
        />
        {EVENT_KINDS.map((kind) => (
          <button
            key={kind}
            type="button"
            class="chip"
            aria-pressed={kinds.includes(kind)}
            onClick={() => toggle(kind)}
          >
            {texts.kinds[kind]}
          </button>
        ))}
        <span class="quiet">
          {found === undefined
            ? count(log.total.value)
            : texts.run.found(count(found.length), count(log.total.value))}
        </span>
      </div>
      {isFiltered && <ReadMore log={log} />}
      <VirtualRows
        class="log-rows"
        role="list"
        label={texts.run.tabs.log}
        count={found?.length ?? log.total.value}
        height={ROW_HEIGHT}
        stick={!isOver(run) && found === undefined}
        keyOf={(index) => found?.[index]?.sequence ?? index}
        onRange={(first, last) => {
          if (found !== undefined) return;
          void log.need(first);
          void log.need(last);
        }}
        row={(index) => (
          <Line event={found === undefined ? events.get(index) : found[index]} log={log} raw={raw} />
        )}
      />
    </div>
  );
}

function Line({ event, log, raw }: { event: Event | undefined; log: RunLog; raw: boolean }) {
  if (event === undefined) return <div class="event quiet event-missing">…</div>;
  return (
    <EventRow
      key={`${event.sequence} ${raw}`}
      event={event}
      whole={(sequence) => log.whole(sequence)}
      open={raw}
    />
  );
}

function filtered(events: ReadonlyMap<number, Event>, kinds: readonly string[], search: string): Event[] {
  const wanted = new Set(kinds);
  return [...events.values()]
    .filter((event) => wanted.size === 0 || wanted.has(kindOf(event)))
    .filter((event) => search === "" || matches(event, search))
    .sort((a, b) => a.sequence - b.sequence);
}

function matches(event: Event, search: string): boolean {
  const { title, text } = describeEvent(event);
  return `${event.type} ${title} ${text}`.toLowerCase().includes(search);
}
