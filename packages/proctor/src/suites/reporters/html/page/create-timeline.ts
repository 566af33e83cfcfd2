// What a run did, over time: a lane for each type of event, and below them the events one by one with their payloads.
import type { Evidence, EvidenceEvent } from "../../../evidence.ts";
import type { PageElement } from "./browser.ts";
import type { Code } from "./create-code.ts";
import type { Child, Dom } from "./create-dom.ts";
import type { EventLook } from "./create-event-look.ts";
import type { Format } from "./create-format.ts";
import type { Scales } from "./create-scale.ts";

export type Timeline = ReturnType<typeof createTimeline>;

export function createTimeline(dom: Dom, format: Format, scales: Scales, look: EventLook, code: Code) {
  const { h, svg } = dom;
  const firstEvents = 200;

  function lanes(events: readonly EvidenceEvent[], total: number, open: (at: number) => void): PageElement {
    const share = (ms: number): string => `${((ms / total) * 100).toFixed(3)}%`;
    const types = [...new Set(events.map(({ type }) => type))];
    const ticks = scales.scale([0, total], 5).ticks.filter((tick) => tick <= total);
    const grid = ticks.map((tick) =>
      svg("line", { class: "grid", x1: share(tick), x2: share(tick), y1: 0, y2: "100%" }),
    );
    const lane = (type: string): Child => {
      const bars = events.flatMap((event, at) => {
        if (event.type !== type) return [];
        const { start, end } = look.span(event);
        return svg("rect", {
          class: `event-bar ${look.family(type)}`,
          x: share(start),
          // Of no width, it would not be drawn at all.
          width: share(Math.max(end - start, total / 400)),
          y: 3,
          height: 12,
          "data-tip": look.tip(event),
          onclick: () => open(at),
        });
      });
      return [
        h("span", { class: "lane-name" }, type),
        svg("svg", { class: "lane-bars" }, grid.map(copy), bars),
      ];
    };
    const copy = (line: PageElement): PageElement =>
      svg("line", {
        class: "grid",
        x1: line.getAttribute("x1"),
        x2: line.getAttribute("x2"),
        y1: 0,
        y2: "100%",
      });
    const axis = svg(
      "svg",
      { class: "plot lane-axis" },
      svg(
        "g",
        { class: "axis" },
        ticks.map((tick, at) =>
          svg(
            "text",
            {
              x: share(tick),
              y: 12,
              "text-anchor": at === 0 ? "start" : tick / total > 0.94 ? "end" : "middle",
            },
            format.tick(tick),
          ),
        ),
      ),
    );
    const label = "Events over time, a lane for each type; the list below has the same.";
    return h(
      "div",
      { class: "lanes", role: "img", "aria-label": label },
      types.map(lane),
      h("span", {}),
      axis,
    );
  }

  function entry(event: EvidenceEvent): PageElement {
    const { sequence, type, at_ms, duration_ms, payload } = event;
    const element: PageElement = h(
      "details",
      {
        class: "event",
        ontoggle: () => {
          if (element.open && element.querySelector("pre") === null)
            element.append(code.text(format.json(payload)));
        },
      },
      h(
        "summary",
        { "data-tip": format.shorten(JSON.stringify(payload), 400) },
        h("span", { class: "event-number" }, sequence),
        h("span", { class: "event-at" }, format.duration(at_ms)),
        h("span", { class: `event-type ${look.family(type)}` }, type),
        h("span", { class: "event-label" }, look.label(event)),
        h("span", { class: "event-took" }, duration_ms === undefined ? "" : format.duration(duration_ms)),
      ),
    );
    return element;
  }

  function render({ events, events_left_out }: Evidence): Child {
    if (events.length === 0) return h("p", { class: "quiet" }, "No events were recorded.");
    const total = Math.max(1, ...events.map((event) => look.span(event).end));
    const list = h("div", { class: "events" });
    const entries: PageElement[] = [];
    const show = (until: number): void => {
      const next = events.slice(entries.length, until).map(entry);
      entries.push(...next);
      list.append(...next);
      more.hidden = entries.length >= events.length;
    };
    const more = dom.button(`Show all ${format.count(events.length)} events`, () => show(events.length));
    show(firstEvents);
    const open = (at: number): void => {
      show(Math.max(at + 1, entries.length));
      const element = entries[at];
      if (element === undefined) return;
      element.open = true;
      element.scrollIntoView({ block: "nearest" });
      element.querySelector("summary")?.focus({ preventScroll: true });
    };
    const left =
      events_left_out > 0 &&
      `${format.plural(events_left_out, "more event")} not in this report; the hub has them all.`;
    return [lanes(events, total, open), list, more, left && h("p", { class: "quiet" }, left)];
  }

  return { render };
}
