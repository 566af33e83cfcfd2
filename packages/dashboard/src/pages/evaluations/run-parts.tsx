// Everything that is known of what a run did, below its story: when things happened, then its log, tool calls, artifacts and violations. They are the parts
// of the run's own page.
import { useEffect, useMemo } from "preact/hooks";
import type { Run } from "../../api/gen/schema.ts";
import { generation } from "../../api/live.ts";
import { token } from "../../api/token.ts";
import { Failed } from "../../components/notice.tsx";
import { Tabs, type Tab } from "../../components/tabs.tsx";
import { openRunLog } from "../../state/run-log.ts";
import { useQuery } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { ArtifactsTab } from "../run/artifacts-tab.tsx";
import { LogTab } from "../run/log-tab.tsx";
import { MessagesTab } from "../run/messages-tab.tsx";
import type { RunTabProps } from "../run/run-page.tsx";
import { TimelineTab } from "../run/timeline-tab.tsx";
import { ToolsTab } from "../run/tools-tab.tsx";
import { ViolationsTab } from "../run/violations-tab.tsx";
import "../run/run.css";

const PARTS = ["artifacts", "log", "tools", "messages", "violations"] as const;

export function RunParts({ run }: { run: Run }) {
  const query = useQuery();
  const log = useMemo(() => openRunLog(run.id), [run.id, generation.value, token.value]);
  useEffect(() => () => log.close(), [log]);
  const tabs = PARTS.map((id): Tab => ({ id, title: texts.run.tabs[id], count: countOf(id, run) }));
  const part = PARTS.find((name) => name === query.get("part")) ?? PARTS[0];
  return (
    <>
      <section class="run-timeline">
        <h2>{texts.evaluations.timeline}</h2>
        {log.error.value !== undefined && <Failed error={log.error.value} />}
        <TimelineTab run={run} log={log} />
      </section>
      <section>
        <h2>{texts.evaluations.rest}</h2>
        <Tabs label={texts.run.tabs.label} tabs={tabs} current={part} query={query} name="part" />
        <Part part={part} run={run} log={log} />
      </section>
    </>
  );
}

function Part({ part, run, log }: RunTabProps & { part: (typeof PARTS)[number] }) {
  switch (part) {
    case "artifacts":
      return <ArtifactsTab run={run} log={log} />;
    case "log":
      return <LogTab run={run} log={log} />;
    case "tools":
      return <ToolsTab run={run} log={log} />;
    case "messages":
      return <MessagesTab run={run} log={log} />;
    case "violations":
      return <ViolationsTab run={run} log={log} />;
  }
}

function countOf(part: (typeof PARTS)[number], run: Run): number | undefined {
  if (part === "artifacts") return run.artifacts.length;
  if (part === "violations") return run.violations.length;
  return part === "tools" ? (run.metrics.observed_tool_calls ?? run.metrics.tool_calls) : undefined;
}
