// One run: its story first, then everything that is known of it.
import { useLocation, useRoute } from "preact-iso";
import { useEffect, useMemo } from "preact/hooks";
import { generation } from "../../api/live.ts";
import { token } from "../../api/token.ts";
import { Failed, Loading } from "../../components/notice.tsx";
import { Tabs, type Tab } from "../../components/tabs.tsx";
import type { Run } from "../../api/gen/schema.ts";
import { useKeys } from "../../state/keys.ts";
import { openRunLog, type RunLog } from "../../state/run-log.ts";
import { useQuery } from "../../state/use-query.ts";
import { usePageTitle } from "../../state/use-page-title.ts";
import { pagePath } from "../../api/address.ts";
import { texts } from "../../texts.ts";
import { taskLine } from "../runs/run-row.tsx";
import { ArtifactsTab } from "./artifacts-tab.tsx";
import { EnvironmentTab } from "./environment-tab.tsx";
import { LogTab } from "./log-tab.tsx";
import { MessagesTab } from "./messages-tab.tsx";
import { RunHead } from "./run-head.tsx";
import { Story } from "./story.tsx";
import { TerminalTab } from "./terminal-tab.tsx";
import { TimelineTab } from "./timeline-tab.tsx";
import { ToolsTab } from "./tools-tab.tsx";
import { ViolationsTab } from "./violations-tab.tsx";
import "./run.css";

export interface RunTabProps {
  run: Run;
  log: RunLog;
}

export function RunPage() {
  const { params } = useRoute();
  const id = params["id"] ?? "";
  const log = useMemo(() => openRunLog(id), [id, generation.value, token.value]);
  useEffect(() => () => log.close(), [log]);
  const run = log.run.value;
  usePageTitle(run ? taskLine(run) : texts.nav.run);
  const query = useQuery();
  const { route } = useLocation();
  const tabs = run ? tabsOf(run) : [];
  const current = tabs.find(({ id: name }) => name === query.get("tab"))?.id ?? "story";
  const turn = (by: number) => () => {
    const next = tabs[(tabs.findIndex(({ id: name }) => name === current) + by + tabs.length) % tabs.length];
    if (next) query.set({ tab: next.id === "story" ? undefined : next.id }, "replace");
  };
  useKeys([
    { key: "ArrowRight", does: texts.keys.nextTab, act: turn(1) },
    { key: "ArrowLeft", does: texts.keys.previousTab, act: turn(-1) },
    { key: "u", does: texts.keys.runs, act: () => route(pagePath("runs")) },
  ]);
  if (run === undefined)
    return log.error.value === undefined ? <Loading /> : <Failed error={log.error.value} />;
  return (
    <div class="run-page">
      <RunHead run={run} log={log} />
      <Tabs label={texts.run.tabs.label} tabs={tabs} current={current} query={query} />
      {log.error.value !== undefined && <Failed error={log.error.value} retry={() => void log.reload()} />}
      <Current tab={current} run={run} log={log} />
    </div>
  );
}

function Current({ tab, run, log }: RunTabProps & { tab: string }) {
  switch (tab) {
    case "messages":
      return <MessagesTab run={run} log={log} />;
    case "timeline":
      return <TimelineTab run={run} log={log} />;
    case "log":
      return <LogTab log={log} run={run} />;
    case "tools":
      return <ToolsTab run={run} log={log} />;
    case "artifacts":
      return <ArtifactsTab run={run} log={log} />;
    case "violations":
      return <ViolationsTab run={run} log={log} />;
    case "terminal":
      return <TerminalTab run={run} log={log} />;
    case "environment":
      return <EnvironmentTab run={run} log={log} />;
    case "events":
      return <LogTab log={log} run={run} raw />;
    default:
      return <Story run={run} log={log} />;
  }
}

function tabsOf(run: Run): Tab[] {
  const { label: _, ...names } = texts.run.tabs;
  const counts: Partial<Record<string, number>> = {
    tools: run.metrics.observed_tool_calls ?? run.metrics.tool_calls,
    artifacts: run.artifacts.length,
    violations: run.violations.length,
  };
  const hasRecording = run.artifacts.some(({ path }) => path?.endsWith(".cast"));
  return Object.entries(names)
    .filter(([id]) => id !== "terminal" || hasRecording)
    .map(([id, title]) => ({ id, title, count: counts[id] }));
}
