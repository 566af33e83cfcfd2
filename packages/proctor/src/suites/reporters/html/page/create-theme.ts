// Light or dark: as the system has it, until the reader says otherwise.
import type { Browser, PageElement } from "./browser.ts";
import type { Dom } from "./create-dom.ts";

export function createTheme(browser: Browser, dom: Dom): PageElement {
  const root = browser.document.documentElement;
  const key = "proctor-report-theme";
  const button = dom.button("", toggle, { class: "button plain", id: "theme" });

  function isDark(): boolean {
    const chosen = root.getAttribute("data-theme");
    return chosen === null ? browser.matchMedia("(prefers-color-scheme: dark)").matches : chosen === "dark";
  }

  function label(): void {
    dom.replace(button, isDark() ? "Light" : "Dark");
    button.setAttribute("aria-label", isDark() ? "Switch to light colours" : "Switch to dark colours");
  }

  function toggle(): void {
    const next = isDark() ? "light" : "dark";
    root.setAttribute("data-theme", next);
    try {
      browser.localStorage?.setItem(key, next);
    } catch {
      // Not every place lets a file remember something.
    }
    label();
  }

  try {
    const kept = browser.localStorage?.getItem(key);
    if (kept === "light" || kept === "dark") root.setAttribute("data-theme", kept);
  } catch {
    // As above.
  }
  label();
  return button;
}
