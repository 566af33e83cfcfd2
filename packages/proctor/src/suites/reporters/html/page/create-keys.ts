// What the keyboard does beyond tab and enter: search, up and down the list, in and out of a case.
import type { Browser, PageElement, PageEvent } from "./browser.ts";

interface KeyActions {
  search(): void;
  back(): void;
  /** To the case before (-1) or after (1) the open one. */
  step(by: number): void;
  isCaseOpen(): boolean;
}

export function createKeys({ document }: Browser, actions: KeyActions): void {
  function links(): PageElement[] {
    return [...document.body.querySelectorAll("main .case-link")];
  }

  function move(by: number): void {
    const all = links();
    const at = all.findIndex((link) => link === document.activeElement);
    const next = all[at === -1 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  }

  function isTyping(target: PageElement | null): boolean {
    return target != null && ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName);
  }

  function press(event: PageEvent): boolean {
    const isOpen = actions.isCaseOpen();
    switch (event.key) {
      case "/":
        actions.search();
        return true;
      case "Escape":
        if (isOpen) actions.back();
        return isOpen;
      case "j":
      case "k":
        if (isOpen) actions.step(event.key === "j" ? 1 : -1);
        else move(event.key === "j" ? 1 : -1);
        return true;
      default:
        return false;
    }
  }

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target) && event.key !== "Escape") return;
    if (press(event)) event.preventDefault();
  });
}
