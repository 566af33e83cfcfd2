// What the agent says it called, against what the hub saw it call.
import { useEffect } from "preact/hooks";
import type { Event } from "../../api/gen/schema.ts";
import { record, short, str } from "../../components/describe-event.ts";
import { duration } from "../../components/format.ts";
import { Table } from "../../components/table.tsx";
import { texts } from "../../texts.ts";
import { pairCalls } from "./pair-calls.ts";
import { MOST_READ, ReadMore } from "./read-more.tsx";
import type { RunTabProps } from "./run-page.tsx";

export function ToolsTab({ log }: RunTabProps) {
  useEffect(() => void log.readAll(MOST_READ), [log]);
  const pairs = pairCalls([...log.events.value.values()].sort((a, b) => a.sequence - b.sequence));
  const anySeen = pairs.some(({ observed }) => observed !== undefined);
  return (
    <div>
      <ReadMore log={log} />
      {pairs.length === 0 ? (
        <p class="quiet">{texts.tools.none}</p>
      ) : (
        <Table
          kind="tools"
          columns={[texts.tools.tool, texts.tools.reported, texts.tools.observed, texts.tools.verdict]}
        >
          {pairs.map(({ name, reported, observed, agrees }, index) => (
            <tr key={index} class={anySeen && !agrees ? "bad-row" : ""}>
              <td class="mono">{name.slice(0, 200)}</td>
              <td>
                <Call event={reported} />
              </td>
              <td>
                <Call event={observed} />
              </td>
              <td>{anySeen ? verdict(reported, observed, agrees) : texts.tools.notWatched}</td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  );
}

function Call({ event }: { event: Event | undefined }) {
  if (event === undefined) return <span class="quiet">–</span>;
  const { input, output, error, duration_ms: ms } = record(event.payload) ?? {};
  return (
    <div class="mono call">
      <div>{short(input)}</div>
      <div class={error == null ? "quiet" : "bad-text"}>→ {error == null ? short(output) : str(error)}</div>
      {typeof ms === "number" && <div class="quiet">{duration(ms)}</div>}
    </div>
  );
}

function verdict(reported: Event | undefined, observed: Event | undefined, agrees: boolean): string {
  if (reported === undefined) return texts.tools.unreported;
  if (observed === undefined) return texts.tools.unseen;
  return agrees ? texts.tools.agrees : texts.tools.differs;
}
