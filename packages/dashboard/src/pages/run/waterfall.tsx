// Spans as bars on one axis of time, one row each; only rows that are seen are in the document.
import { cost, duration } from "../../components/format.ts";
import { VirtualRows } from "../../components/virtual-rows.tsx";
import { texts } from "../../texts.ts";
import { runHref } from "../runs/run-row.tsx";
import type { Span } from "./spans.ts";

const ROW_HEIGHT = 26;
const MARKS = [0, 0.25, 0.5, 0.75, 1];

export function Waterfall({ spans }: { spans: readonly Span[] }) {
  const startMs = spans[0]?.startMs ?? 0;
  // Not by spreading them: there may be more spans than a call takes arguments.
  const wholeMs = spans.reduce((most, { endMs }) => Math.max(most, endMs - startMs), 1);
  return (
    <div class="waterfall" style={{ "--rows-height": `${spans.length * ROW_HEIGHT + 2}px` }}>
      <div class="waterfall-row waterfall-head quiet">
        <span>{texts.timeline.what}</span>
        <span class="axis">
          {MARKS.map((mark) => (
            <span key={mark}>{duration(wholeMs * mark)}</span>
          ))}
        </span>
        <span class="number">{texts.run.facts.took}</span>
      </div>
      <VirtualRows
        class="waterfall-rows"
        label={texts.run.tabs.timeline}
        count={spans.length}
        height={ROW_HEIGHT}
        fixed
        keyOf={(index) => spans[index]?.id ?? index}
        row={(index) => {
          const span = spans[index];
          return span && <Bar span={span} startMs={startMs} wholeMs={wholeMs} />;
        }}
      />
    </div>
  );
}

function Bar({ span, startMs, wholeMs }: { span: Span; startMs: number; wholeMs: number }) {
  const { name, kind, depth, failed, costUsd, runId } = span;
  const took = duration(span.endMs - span.startMs);
  const label = name || texts.timeline.kinds[kind];
  const left = ((span.startMs - startMs) / wholeMs) * 100;
  const width = ((span.endMs - span.startMs) / wholeMs) * 100;
  return (
    <div
      class="waterfall-row"
      role="listitem"
      title={`${texts.timeline.kinds[kind]} ${label}\n${took}${costUsd > 0 ? `\n${cost(costUsd)}` : ""}`}
    >
      <span class="one-line" style={{ paddingInlineStart: `${Math.min(depth, 10) * 12}px` }}>
        {runId !== undefined && depth > 0 ? <a href={runHref(runId)}>{label}</a> : label}
      </span>
      <span class="bar-place">
        <span
          class={`bar ${failed ? "bad" : ""}`}
          data-kind={kind}
          style={{
            insetInlineStart: `${Math.min(left, 99.7)}%`,
            width: `max(3px, ${Math.min(width, 100 - left)}%)`,
          }}
        />
      </span>
      <span class="number quiet">{took}</span>
    </div>
  );
}
