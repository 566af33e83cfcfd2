// A part of a long list, and the way to the other parts.
import type { PageElement } from "./browser.ts";
import type { Dom } from "./create-dom.ts";
import type { Format } from "./create-format.ts";

export type Pager = ReturnType<typeof createPager>;

export function createPager(dom: Dom, format: Format) {
  const size = 50;

  function page<T>(all: readonly T[], wanted: number) {
    const last = Math.max(1, Math.ceil(all.length / size));
    const at = Math.min(Math.max(1, wanted), last);
    return { items: all.slice((at - 1) * size, at * size), at, last, total: all.length };
  }

  function controls(
    { at, last, total }: { at: number; last: number; total: number },
    go: (page: number) => void,
  ): PageElement {
    const step = (label: string, to: number): PageElement =>
      dom.button(label, () => go(to), {
        "data-focus": label,
        ...((to < 1 || to > last) && { disabled: true }),
      });
    const range = `${format.count((at - 1) * size + 1)}–${format.count(Math.min(at * size, total))} of ${format.count(total)}`;
    return dom.h(
      "nav",
      { class: "pager", "aria-label": "Pages", ...(last === 1 && { hidden: true }) },
      step("Previous", at - 1),
      dom.h("span", { "aria-live": "polite" }, range),
      step("Next", at + 1),
    );
  }

  return { page, controls };
}
