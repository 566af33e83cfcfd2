// One tip for the whole page: what an element says about itself in `data-tip`, under the pointer or beside the focus.
import type { Browser, PageElement, PageEvent } from "./browser.ts";
import type { Dom } from "./create-dom.ts";
import type { Strip } from "./create-strip.ts";

export function createTips(browser: Browser, dom: Dom, strip: Strip): PageElement {
  const element = dom.h("div", { class: "tip", role: "tooltip", hidden: true });

  function show(text: string | null | undefined, x: number, y: number): void {
    element.hidden = text == null || text === "";
    if (text == null || text === "") return;
    dom.replace(element, text);
    const left = Math.min(x + 12, browser.innerWidth - element.offsetWidth - 8);
    const top = y + 18 + element.offsetHeight > browser.innerHeight ? y - element.offsetHeight - 10 : y + 18;
    element.style.setProperty("left", `${Math.max(8, left)}px`);
    element.style.setProperty("top", `${Math.max(8, top)}px`);
  }

  function textAt(event: PageEvent): string | null | undefined {
    if (event.target?.closest(".strip") != null) return strip.tip(event);
    return event.target?.closest("[data-tip]")?.getAttribute("data-tip");
  }

  // The second also comes when something else is scrolled under the pointer.
  for (const type of ["pointermove", "pointerover"]) {
    browser.document.addEventListener(type, (event) => show(textAt(event), event.clientX, event.clientY));
  }
  browser.document.addEventListener("pointerdown", () => show(null, 0, 0));
  browser.document.addEventListener("focusout", () => show(null, 0, 0));
  browser.document.addEventListener("focusin", (event) => {
    const tipped = event.target?.closest("[data-tip]");
    // What was clicked has the pointer's tip already.
    if (tipped == null || browser.document.documentElement.querySelector(":focus-visible") === null) return;
    const box = tipped.getBoundingClientRect();
    show(tipped.getAttribute("data-tip"), box.left, box.bottom - 10);
  });
  return element;
}
