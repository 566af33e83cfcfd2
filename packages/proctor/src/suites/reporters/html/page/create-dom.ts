// Makes elements. The only way from a text to the page is a text node: nothing here, or anywhere in the page, parses HTML.
import type { Browser, PageElement } from "./browser.ts";
import type { Format } from "./create-format.ts";

export type Child = PageElement | string | number | null | undefined | false | Child[];
export type Attributes = Record<string, string | number | boolean | undefined | null | Listener>;
type Listener = (event: {
  preventDefault(): void;
  target: PageElement | null;
  clientX: number;
  clientY: number;
}) => void;
export type Dom = ReturnType<typeof createDom>;

export function createDom(browser: Browser, format: Format) {
  const { document } = browser;
  const shapes: Record<string, string> = {
    pass: "M3.5 8.4l3 3 6-6.6",
    fail: "M4 4l8 8M12 4l-8 8",
    unevaluated: "M5.6 5.7a2.4 2.4 0 1 1 3.6 2.1c-.8.5-1.2.9-1.2 1.9M8 12.2v.4",
    not_run: "M4 8h8",
    up: "M8 13V3.5M4 7l4-4 4 4",
    down: "M8 3v9.5M4 9l4 4 4-4",
    back: "M13 8H3.5M7.5 4l-4 4 4 4",
    equal: "M4 6h8M4 10h8",
    plus: "M8 3.5v9M3.5 8h9",
  };
  const words: Record<string, string> = {
    pass: "Passed",
    fail: "Failed",
    unevaluated: "Unevaluated",
    not_run: "Not run",
  };

  function nodes(children: readonly Child[]): (PageElement | string)[] {
    return children.flatMap((child) => {
      if (child == null || child === false) return [];
      if (Array.isArray(child)) return nodes(child);
      return typeof child === "object" ? [child] : [format.visible(String(child))];
    });
  }

  function fill(element: PageElement, attributes: Attributes, children: readonly Child[]): PageElement {
    for (const [name, value] of Object.entries(attributes)) {
      if (value == null || value === false) continue;
      if (typeof value === "function") element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value === true ? "" : String(value));
    }
    element.append(...nodes(children));
    return element;
  }

  /** `on…` are listeners; `data-tip` is shown on hover and on focus. */
  function h(name: string, attributes: Attributes = {}, ...children: Child[]): PageElement {
    return fill(document.createElement(name), attributes, children);
  }

  function svg(name: string, attributes: Attributes = {}, ...children: Child[]): PageElement {
    return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
  }

  function replace(element: PageElement, ...children: Child[]): void {
    element.replaceChildren(...nodes(children));
  }

  /** Drawn, because not every font has such characters. */
  function icon(shape: string): PageElement {
    const path = svg("path", { d: shapes[shape] });
    return svg("svg", { class: `icon ${shape}`, viewBox: "0 0 16 16", "aria-hidden": "true" }, path);
  }

  /** Colour, shape and word. */
  function badge(outcome: string): PageElement {
    return h("span", { class: `badge ${outcome}` }, icon(outcome), words[outcome] ?? outcome);
  }

  /** A rate with its interval on a scale from 0 to 1. */
  function rateBar(rate: readonly [number, number, number], kind = ""): PageElement {
    const [value, low, high] = rate;
    const at = (share: number): string => `${(Math.min(1, Math.max(0, share)) * 100).toFixed(2)}%`;
    return svg(
      "svg",
      {
        class: `rate-bar ${kind}`,
        role: "img",
        "aria-label": `${format.percent(value)}, between ${format.percent(low)} and ${format.percent(high)}`,
        "data-tip": `${format.percent(value)}\n95% interval: ${format.interval(low, high)}`,
      },
      svg("line", { class: "track", x1: "0%", x2: "100%", y1: "50%", y2: "50%" }),
      svg("line", { class: "range", x1: at(low), x2: at(high), y1: "50%", y2: "50%" }),
      svg("circle", { cx: at(value), cy: "50%", r: 3.5 }),
    );
  }

  /** A list of figures. */
  function facts(entries: readonly (readonly [string, Child])[], className = "facts"): PageElement {
    const shown = entries.filter(([, value]) => value != null && value !== false && value !== "");
    return h(
      "dl",
      { class: className },
      shown.map(([term, value]) => h("div", {}, h("dt", {}, term), h("dd", {}, value))),
    );
  }

  /** Rows of cells under heads. `numbers` says from which column on cells are figures; `stacked` ones are cards on a phone. */
  function table(
    caption: string,
    heads: readonly string[],
    rows: readonly Child[][],
    numbers = 1,
    className = "",
  ): PageElement {
    const kind = (at: number): string => (at >= numbers ? "number" : "");
    return h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
      h(
        "table",
        { class: `data ${className}` },
        h("caption", {}, caption),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            heads.map((head, at) => h("th", { scope: "col", class: kind(at) }, head)),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map((cells) =>
            h(
              "tr",
              {},
              cells.map((cell, at) =>
                at === 0
                  ? h("th", { scope: "row" }, cell)
                  : h("td", { class: kind(at), "data-label": heads[at] }, cell),
              ),
            ),
          ),
        ),
      ),
    );
  }

  function button(label: Child, onclick: Listener, attributes: Attributes = {}): PageElement {
    return h("button", { type: "button", class: "button", ...attributes, onclick }, label);
  }

  /** A list that shows its next items at the press of a button. */
  function growing(list: PageElement, items: readonly (() => PageElement | null)[], step: number): Child {
    const more = button("", () => show());
    let count = 0;
    const show = (): void => {
      list.append(...nodes(items.slice(count, count + step).map((make) => make())));
      count = Math.min(items.length, count + step);
      replace(more, `Show more (${format.count(items.length - count)} left)`);
      more.hidden = count === items.length;
    };
    show();
    return [list, more];
  }

  return { h, svg, replace, icon, badge, rateBar, facts, table, button, growing, words };
}
