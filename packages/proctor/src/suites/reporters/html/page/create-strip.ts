// All cases at one glance: a mark each, in the order of the plan. One path for each kind, so ten thousand marks cost four nodes.
import type { ReportData } from "../report-data.ts";
import type { Dom } from "./create-dom.ts";
import type { ViewState } from "./create-view.ts";

export type Strip = ReturnType<typeof createStrip>;

export function createStrip(data: ReportData, dom: Dom, view: ViewState) {
  const { rows, agents } = data;
  const { svg } = dom;
  const element = svg("svg", { class: "strip", role: "img" });
  let columns = 1;
  let cell = 14;

  function cellSize(width: number): number {
    const sizes = [14, 12, 10, 8, 6, 5, 4];
    const fits = (size: number): boolean => Math.ceil(rows.length / Math.floor(width / size)) * size <= 120;
    return sizes.find(fits) ?? 3;
  }

  /** Shapes differ as well as colours: full square, small square, ring, dot. */
  function mark(outcome: string, x: number, y: number): string {
    const inset = { pass: 0.26, fail: 0.06, unevaluated: 0.12, not_run: 0.4 }[outcome] ?? 0;
    const side = cell * (1 - 2 * inset);
    const square = (left: number, top: number, size: number): string =>
      `M${left.toFixed(1)} ${top.toFixed(1)}h${size.toFixed(1)}v${size.toFixed(1)}h-${size.toFixed(1)}z`;
    const outer = square(x + cell * inset, y + cell * inset, side);
    if (outcome !== "unevaluated" || cell < 6) return outer;
    const rim = cell * 0.16;
    return outer + square(x + cell * inset + rim, y + cell * inset + rim, side - 2 * rim);
  }

  function draw(width: number, shown: readonly number[]): void {
    cell = cellSize(Math.max(width, 60));
    columns = Math.max(1, Math.floor(width / cell));
    const isShown = new Set(shown);
    const paths = new Map<string, string>();
    for (const [at, { outcome }] of rows.entries()) {
      const kind = isShown.has(at) ? outcome : `${outcome} faint`;
      const path = mark(outcome, (at % columns) * cell, Math.floor(at / columns) * cell);
      paths.set(kind, (paths.get(kind) ?? "") + path);
    }
    const height = Math.max(1, Math.ceil(rows.length / columns)) * cell;
    element.setAttribute("viewBox", `0 0 ${columns * cell} ${height}`);
    element.setAttribute("width", String(columns * cell));
    element.setAttribute("height", String(height));
    element.setAttribute("aria-label", label(shown));
    dom.replace(
      element,
      [...paths].map(([kind, d]) => svg("path", { class: kind, d, "fill-rule": "evenodd" })),
    );
  }

  function label(shown: readonly number[]): string {
    const count = (outcome: string): number => shown.filter((at) => rows[at]?.outcome === outcome).length;
    const words = { fail: "failed", unevaluated: "unevaluated", not_run: "not run", pass: "passed" };
    return Object.entries(words)
      .map(([outcome, word]) => `${count(outcome)} ${word}`)
      .join(", ");
  }

  function placeOf(event: { clientX: number; clientY: number }): number | undefined {
    const box = element.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left) / cell);
    const at = Math.floor((event.clientY - box.top) / cell) * columns + column;
    return column < columns && rows[at] !== undefined ? at : undefined;
  }

  /** For the tip under the pointer. */
  function tip(event: { clientX: number; clientY: number }): string | undefined {
    const at = placeOf(event);
    const row = at === undefined ? undefined : rows[at];
    return row && `${row.name}\n${agents[row.agent]}: ${(dom.words[row.outcome] ?? "").toLowerCase()}`;
  }

  element.addEventListener("click", (event) => {
    const at = placeOf(event);
    if (at !== undefined) view.go({ case: at + 1, run: 1, against: 0 });
  });

  return { element, draw, tip };
}
