// What happened, in the order in which it did: what matters to a reader, with runs of the same thing folded into one line.
import { useState } from "preact/hooks";
import type { Event } from "../../api/gen/schema.ts";
import { plainText } from "../../components/ansi.ts";
import { describeEvent, type EventLine } from "../../components/describe-event.ts";
import { clock, count, exact } from "../../components/format.ts";
import { texts } from "../../texts.ts";

export interface Beat extends EventLine {
  /** Last of the events that were folded into the beat. */
  event: Event;
  /** All events that were folded into the beat. */
  folded: Event[];
  /** Number of further events of the same kind that followed. */
  more: number;
}

/** Kinds of events that the story leaves out, because a reader does not miss them. */
const LEFT_OUT = new Set([
  "run.created",
  "run.queued",
  "message.opened",
  "message.closed",
  "message.delivered",
  "question.delivered",
  "session.opened",
  "wire.message",
  "artifact.opened",
  "artifact.extended",
  "artifact_created",
]);
/** Number of beats before the reader asks for more: what came of the run should be seen without scrolling. */
const FIRST_BEATS = 10;
const MOST_BEATS = 200;
const MOST_CHARS = 280;

export function beatsOf(events: ReadonlyMap<number, Event>): Beat[] {
  const beats: Beat[] = [];
  for (const [, event] of [...events].sort(([a], [b]) => a - b)) {
    if (LEFT_OUT.has(event.type)) continue;
    const described = describeEvent(event);
    // Colours are for the log; a story has words.
    const line = { ...described, text: plainText(described.text) };
    const before = beats.at(-1);
    const folds = line.kind === "log" || event.type === "progress" || event.type === "message.extended";
    if (before !== undefined && folds && before.event.type === event.type && before.title === line.title) {
      before.folded.push(event);
      beats[beats.length - 1] = { ...before, ...line, event, more: before.more + 1 };
    } else beats.push({ ...line, event, folded: [event], more: 0 });
  }
  return beats;
}

export function Beats({ events, total }: { events: ReadonlyMap<number, Event>; total: number }) {
  const beats = beatsOf(events);
  const [most, setMost] = useState(FIRST_BEATS);
  const shown = beats.slice(-most);
  const first = shown[0]?.event.sequence ?? 0;
  const hidden = beats.length > shown.length || events.size < total;
  return (
    <ol class="beats">
      {hidden && (
        <li class="beat-more">
          {most === FIRST_BEATS && beats.length > shown.length ? (
            <button type="button" class="button plain" onClick={() => setMost(MOST_BEATS)}>
              {texts.run.before(count(first))}
            </button>
          ) : (
            <span class="quiet">{texts.run.before(count(first))}</span>
          )}
        </li>
      )}
      {shown.map(({ event, kind, title, text, bad, more }) => (
        <li key={event.sequence} class={`beat ${bad ? "bad" : ""}`} data-kind={kind}>
          <time dateTime={event.timestamp} title={exact(event.timestamp)}>
            {clock(event.timestamp)}
          </time>
          <span class="beat-title">{title}</span>
          <span class="beat-text" dir="auto">
            {cut(text)}
            {more > 0 && <small class="quiet"> {texts.run.andMore(count(more))}</small>}
          </span>
        </li>
      ))}
    </ol>
  );
}

function cut(text: string): string {
  return text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text;
}
