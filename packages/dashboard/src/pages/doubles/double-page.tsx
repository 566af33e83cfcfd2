// One double with what was asked of it, the newest first.
import { useRoute } from "preact-iso";
import { useRef } from "preact/hooks";
import { hub } from "../../api/hub.ts";
import { FilterChips } from "../../components/filter-chips.tsx";
import { count } from "../../components/format.ts";
import { JsonView } from "../../components/json-view.tsx";
import { Failed, Loading } from "../../components/notice.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { Time } from "../../components/time.tsx";
import type { DoubleRequest } from "../../api/gen/schema.ts";
import { useKeys } from "../../state/keys.ts";
import { useLoad } from "../../state/use-load.ts";
import { usePageTitle } from "../../state/use-page-title.ts";
import { useQuery } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { DoubleMark } from "./double-mark.tsx";
import { useReloads } from "./use-reloads.ts";
import "./doubles.css";

const words = texts.doubles;
/** Number of requests on one page of the list; `pages` in the address says how many pages are shown. */
const PAGE = 50;
const MOST = 1000;

export function DoublePage() {
  const { params } = useRoute();
  const query = useQuery();
  const search = useRef<HTMLInputElement>(null);
  const id = params["id"] ?? "";
  const [text, unmatched] = [query.get("text"), query.get("unmatched")];
  const limit = Math.min(MOST, PAGE * (Number(query.get("pages")) || 1));
  const double = useLoad(`double ${id}`, (signal) => hub.double(id, signal));
  const asked = useLoad(`asked ${id} ${text} ${unmatched} ${limit}`, (signal) =>
    hub.doubleRequests(id, { text, unmatched, limit }, signal),
  );
  usePageTitle(double.value?.name ?? words.title);
  useKeys([{ key: "/", does: texts.keys.search, act: () => search.current?.focus() }]);
  useReloads(() => {
    double.reload();
    asked.reload();
  });
  const { value } = double;
  if (value === undefined)
    return double.error === undefined ? <Loading /> : <Failed error={double.error} retry={double.reload} />;
  const items = asked.value?.items ?? [];
  return (
    <>
      <header class="double-head">
        <h1>{value.name}</h1>
        <p class="head-line quiet">
          <DoubleMark state={value.state} />
          <span>{words.kinds[value.kind]}</span>
          <code>{value.address}</code>
          <span>{words.process(value.host, value.pid)}</span>
          <span>
            {words.since} <Time at={value.started_at} />
          </span>
        </p>
      </header>
      <div class="filter-row" role="search">
        <SearchField query={query} name="text" label={words.search} field={search} asks />
        <FilterChips
          query={query}
          name="unmatched"
          values={["true"]}
          words={{ true: words.onlyUnmatched }}
          found={() => value.unmatched}
        />
        <span class="quiet" role="status">
          {words.asked(count(value.requests))}
          {value.dropped > 0 && ` ${words.dropped(count(value.dropped))}`}
        </span>
      </div>
      {asked.error !== undefined && <Failed error={asked.error} retry={asked.reload} />}
      {items.length === 0 && asked.value !== undefined && (
        <p class="quiet double-none">{value.requests === 0 ? words.nothingAsked : words.noneFit}</p>
      )}
      <ol class="double-requests">
        {items.map((request) => (
          <RequestRow key={request.number} request={request} />
        ))}
      </ol>
      {asked.value?.next_cursor != null && limit < MOST && (
        <a class="button more" href={query.href({ pages: String(limit / PAGE + 1) })}>
          {texts.more}
        </a>
      )}
    </>
  );
}

function RequestRow({ request }: { request: DoubleRequest }) {
  const { number, at, asked, matched, unmatched } = request;
  return (
    <li>
      <details>
        <summary class="head-line">
          <span class="quiet">{number}</span>
          <Time at={at} />
          <strong class="one-line">{asked}</strong>
          {matched !== null && <span class="tag">{matched}</span>}
          {unmatched && <span class="warn-text">{words.unmatched}</span>}
        </summary>
        <div class="double-sides">
          <section>
            <h2>{words.request}</h2>
            <JsonView value={request.request} />
          </section>
          <section>
            <h2>{words.answered}</h2>
            <JsonView value={request.answered} />
          </section>
        </div>
      </details>
    </li>
  );
}
