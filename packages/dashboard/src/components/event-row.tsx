// One event of a log in one line, which opens to the whole.
import { useState } from "preact/hooks";
import type { Event } from "../api/gen/schema.ts";
import { texts } from "../texts.ts";
import { numberOf } from "../api/more.ts";
import { describeEvent } from "./describe-event.ts";
import { clock, exact } from "./format.ts";
import { JsonView } from "./json-view.tsx";
import { TerminalText } from "./terminal-text.tsx";

interface EventRowProps {
  event: Event;
  /** Reads the whole event where this one was cut. */
  whole: (sequence: number) => Promise<unknown>;
  open?: boolean;
}

const ONE_LINE = 600;

export function EventRow({ event, whole, open = false }: EventRowProps) {
  const [isOpen, setOpen] = useState(open);
  const { kind, title, text, bad, printed } = describeEvent(event);
  const shown = text.length > ONE_LINE ? `${text.slice(0, ONE_LINE)}…` : text;
  function toggle(): void {
    setOpen(!isOpen);
    if (!isOpen && event.cut !== undefined) void whole(event.sequence);
  }
  return (
    <div class={`event ${bad ? "bad" : ""}`} data-kind={kind} role="listitem">
      <button type="button" class="event-line" aria-expanded={isOpen} onClick={toggle}>
        <span class="event-number">{numberOf(event)}</span>
        <time dateTime={event.timestamp} title={exact(event.timestamp)}>
          {clock(event.timestamp)}
        </time>
        <span class="event-title one-line">{title}</span>
        <span class={`event-text one-line ${printed ? "mono" : ""}`} dir="auto">
          {printed ? <TerminalText text={shown} /> : shown}
        </span>
      </button>
      {isOpen && (
        <div class="event-whole">
          {event.cut !== undefined && <p class="quiet">{texts.run.cut}</p>}
          <JsonView value={event.payload} />
          {event.origin !== undefined && <JsonView value={{ origin: event.origin }} open={false} />}
        </div>
      )}
    </div>
  );
}
