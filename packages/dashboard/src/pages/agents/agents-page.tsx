// The registry: which agents there are, how they are, what they can do, and what their runs have shown.
import { useLocation } from "preact-iso";
import { useEffect, useRef, useState } from "preact/hooks";
import { hub } from "../../api/hub.ts";
import type { RegisteredAgent } from "../../api/gen/schema.ts";
import { Button } from "../../components/button.tsx";
import { Empty } from "../../components/empty.tsx";
import { FilterChips } from "../../components/filter-chips.tsx";
import { cost, count, duration } from "../../components/format.ts";
import { NotLoaded } from "../../components/notice.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { HealthMark } from "../../components/status.tsx";
import { Table, type Column } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useKeys } from "../../state/keys.ts";
import { useAgentChanges } from "./use-agent-changes.ts";
import { useLoad } from "../../state/use-load.ts";
import { usePageTitle } from "../../state/use-page-title.ts";
import { useQuery } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { agentHref } from "./agent-href.ts";
import { rate } from "./measured.tsx";
import "./agents.css";

const PAGE = 200;
const STATES = ["online", "suspect", "offline", "draining", "unknown"] as const;
/** Number of capabilities that a row shows; the others are counted. */
const SHOWN = 4;

export function AgentsPage() {
  usePageTitle(texts.agents.title);
  const query = useQuery();
  const { route } = useLocation();
  const state = query.get("state");
  const capability = query.get("capability");
  const limit = Math.min(1000, PAGE * Math.max(1, Number(query.get("pages")) || 1));
  const loaded = useLoad(`registry ${state} ${capability} ${limit}`, (signal) =>
    hub.registered({ state, capability, limit }, signal),
  );
  useAgentChanges(loaded.reload);
  const search = useRef<HTMLInputElement>(null);
  const [current, setCurrent] = useState(-1);
  const words = query.get("q").toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const items = (loaded.value?.items ?? []).filter((agent) =>
    words.every((word) => textOf(agent).includes(word)),
  );
  useEffect(() => setCurrent(-1), [state, capability, query.get("q")]);
  const move = (by: number) => () =>
    setCurrent((before) => Math.min(items.length - 1, Math.max(0, before + by)));
  useKeys([
    { key: "j", does: texts.keys.next, act: move(1) },
    { key: "k", does: texts.keys.previous, act: move(-1) },
    { key: "/", does: texts.keys.search, act: () => search.current?.focus() },
    {
      key: "Enter",
      does: texts.keys.open,
      act: () => items[current] && route(agentHref(items[current].name)),
    },
  ]);
  const isFiltered = state !== "" || capability !== "" || words.length > 0;
  return (
    <>
      <div class="page-head">
        <h1>{texts.agents.title}</h1>
        <div class="filter-row agent-filters">
          <SearchField query={query} name="q" label={texts.agents.search} field={search} />
          <FilterChips query={query} name="state" values={STATES} words={texts.health} />
          {capability !== "" && (
            <a class="chip" href={query.href({ capability: undefined })} title={texts.runs.dropFilter}>
              {capability} ×
            </a>
          )}
        </div>
      </div>
      {(loaded.value === undefined || loaded.error !== undefined) && <NotLoaded of={loaded} />}
      {loaded.value !== undefined &&
        items.length === 0 &&
        (isFiltered ? <p class="quiet">{texts.agents.noneFit}</p> : <NoAgent />)}
      {items.length > 0 && (
        <Table label={texts.agents.title} kind="agents" columns={COLUMNS}>
          {items.map((agent, index) => (
            <Row
              key={agent.name}
              agent={agent}
              current={index === current}
              capabilityHref={(name) => query.href({ capability: name })}
            />
          ))}
        </Table>
      )}
      {loaded.value?.next_cursor != null && (
        <p class="more">
          <Button onPress={() => query.set({ pages: String(limit / PAGE + 1) }, "replace")}>
            {texts.more}
          </Button>
        </p>
      )}
    </>
  );
}

function textOf({ name, description = "", capabilities = [], address }: RegisteredAgent): string {
  return [name, description, address, ...capabilities.map((one) => one.name)].join(" ").toLocaleLowerCase();
}

const { columns } = texts.agents;
const COLUMNS: readonly Column[] = [
  columns.state,
  columns.name,
  columns.capabilities,
  [columns.load, "number wide-only"],
  [columns.success, "number"],
  [columns.quality, "number wide-only"],
  [columns.latency, "number not-on-phone"],
  [columns.cost, "number wide-only"],
  [columns.seen, "wide-only"],
];

interface RowProps {
  agent: RegisteredAgent;
  current: boolean;
  capabilityHref: (name: string) => string;
}

function Row({ agent, current, capabilityHref }: RowProps) {
  const { name, health, capabilities = [], stage, address } = agent;
  const { measured } = health;
  return (
    <tr data-current={current || undefined} data-agent={name}>
      <td class="sign-on-phone">
        <HealthMark state={health.state} />
      </td>
      <td class="agent-name">
        <a href={agentHref(name)}>{name}</a>
        {stage !== "production" && <span class="tag">{stage}</span>}
        <div class="one-line quiet" title={address}>
          {address}
        </div>
        {health.trouble !== null && <div class="bad-text said">{health.trouble}</div>}
      </td>
      <td class="agent-capabilities">
        {capabilities.slice(0, SHOWN).map((one) => (
          <a key={one.name} class="chip" href={capabilityHref(one.name)}>
            {one.name}
          </a>
        ))}
        {capabilities.length > SHOWN && (
          <span class="quiet">{texts.evaluations.others(capabilities.length - SHOWN)}</span>
        )}
      </td>
      <td class="number quiet wide-only">{loadText(health.load)}</td>
      <td class="number">{rate(measured.success_rate)}</td>
      <td class="number wide-only">{rate(measured.quality)}</td>
      <td class="number not-on-phone">
        {measured.latency_ms === null ? "–" : duration(measured.latency_ms)}
      </td>
      <td class="number quiet wide-only">{measured.cost_usd === null ? "" : cost(measured.cost_usd)}</td>
      <td class="quiet wide-only">
        <Time at={health.seen_at} />
      </td>
    </tr>
  );
}

export function loadText(load: RegisteredAgent["health"]["load"]): string {
  if (load === null) return "";
  const active = count(load.active ?? 0);
  return load.capacity === undefined ? active : `${active} / ${count(load.capacity)}`;
}

function NoAgent() {
  const { emptyTitle, emptyText } = texts.agents;
  const command = 'proctor agents add writer "atp+stdio:python writer.py"';
  return <Empty title={emptyTitle} text={emptyText} command={command} />;
}
