// One agent: how it is and was, what it can do and may be tried with, what its runs have shown, and where others reach it.
import { useRoute } from "preact-iso";
import { pagePath } from "../../api/address.ts";
import { hub } from "../../api/hub.ts";
import type { RegisteredAgent } from "../../api/gen/schema.ts";
import { Button } from "../../components/button.tsx";
import { Failed, Loading } from "../../components/notice.tsx";
import { HealthMark } from "../../components/status.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { Time } from "../../components/time.tsx";
import { useLoad } from "../../state/use-load.ts";
import { usePageTitle } from "../../state/use-page-title.ts";
import { useQuery } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { Addresses } from "./addresses.tsx";
import { loadText } from "./agents-page.tsx";
import { Conformance } from "./conformance.tsx";
import { HealthHistoryView } from "./health-history.tsx";
import { Measured } from "./measured.tsx";
import { TryAgent } from "./try-agent.tsx";
import { useAgentChanges } from "./use-agent-changes.ts";
import "./agents.css";

const TABS = ["try", "health", "conformance", "addresses"] as const;

export function AgentPage() {
  const name = useRoute().params["name"] ?? "";
  usePageTitle(name);
  const query = useQuery();
  const loaded = useLoad(`agent ${name}`, (signal) => hub.registeredAgent(name, signal));
  useAgentChanges(loaded.reload);
  const agent = loaded.value;
  if (agent === undefined) {
    return loaded.error === undefined ? <Loading /> : <Failed error={loaded.error} retry={loaded.reload} />;
  }
  const tab = TABS.find((one) => one === query.get("tab")) ?? "try";
  return (
    <>
      <AgentHead agent={agent} onChange={loaded.reload} />
      <Measured measured={agent.health.measured} />
      <Tabs
        label={texts.evaluations.views}
        query={query}
        current={tab}
        tabs={[
          { id: "try", title: texts.agents.tabs.try, count: agent.capabilities?.length },
          { id: "health", title: texts.agents.tabs.health },
          { id: "conformance", title: texts.agents.tabs.conformance },
          { id: "addresses", title: texts.agents.tabs.addresses },
        ]}
      />
      {tab === "try" && <TryAgent key={agent.name} agent={agent} query={query} />}
      {tab === "health" && <HealthHistoryView agent={agent} />}
      {tab === "conformance" && <Conformance key={agent.name} name={agent.name} />}
      {tab === "addresses" && <Addresses agent={agent} />}
    </>
  );
}

function AgentHead({ agent, onChange }: { agent: RegisteredAgent; onChange: () => void }) {
  const { name, health, description, kind, stage, version, labels, concurrency } = agent;
  const command = (verb: "drain" | "resume") => async (): Promise<void> => {
    await hub.command(name, verb);
    onChange();
  };
  return (
    <header class="agent-head">
      <div class="page-head">
        <h1>{name}</h1>
        <HealthMark state={health.state} />
        <div class="actions">
          <a class="button" href={pagePath("runs", { agent: name })}>
            {texts.agents.runs}
          </a>
          {health.state === "draining" ? (
            <Button onPress={command("resume")}>{texts.agents.resume}</Button>
          ) : (
            <Button title={texts.agents.drainWhy} onPress={command("drain")}>
              {texts.agents.drain}
            </Button>
          )}
        </div>
      </div>
      {description !== undefined && <p class="said">{description}</p>}
      {health.trouble !== null && <p class="notice bad said">{health.trouble}</p>}
      <p class="head-line quiet">
        <span>{texts.agents.kinds[kind]}</span>
        <span>{stage}</span>
        {version !== undefined && <span>{version}</span>}
        {health.since !== null && (
          <span>
            {texts.health[health.state]} <Time at={health.since} />
          </span>
        )}
        <span>
          {texts.agents.seen} <Time at={health.seen_at} />
        </span>
        {health.load !== null && (
          <span>
            {texts.agents.columns.load} {loadText(health.load)}
          </span>
        )}
        {concurrency !== undefined && <span>{texts.agents.concurrency(concurrency)}</span>}
        {Object.entries(labels).map(([key, value]) => (
          <span key={key} class="tag">
            {key}={value}
          </span>
        ))}
      </p>
      <p class="mono said quiet">{agent.address}</p>
    </header>
  );
}
