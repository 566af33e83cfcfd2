// What the reader looks at: which part, which filters, which case and run. It stands in the address behind the hash, so that a
// link opens the same view.
import type { Browser } from "./browser.ts";

export interface View {
  tab: string;
  q: string;
  outcome: string;
  agent: string;
  suite: string;
  tag: string;
  change: string;
  /** Column to sort by, descending after a `-`; empty for the order of the plan. */
  sort: string;
  page: number;
  /** Place of the open case in the report, from 1; 0 for none. */
  case: number;
  run: number;
  /** Number of the run that the open one is compared with; 0 for none. */
  against: number;
}

export type ViewState = ReturnType<typeof createView>;

export function createView(browser: Browser) {
  const start: View = {
    tab: "cases",
    q: "",
    outcome: "",
    agent: "",
    suite: "",
    tag: "",
    change: "",
    sort: "outcome",
    page: 1,
    case: 0,
    run: 1,
    against: 0,
  };
  const listeners: ((view: View) => void)[] = [];
  let current = read(browser.location.hash);

  /** Whatever stands in an address, what comes out is a view. */
  function read(hash: string): View {
    const given = new URLSearchParams(hash.replace(/^#/, ""));
    const text = (name: keyof View): string => given.get(name) ?? String(start[name]);
    const number = (name: keyof View): number => {
      const value = Number(given.get(name) ?? start[name]);
      return Number.isSafeInteger(value) && value >= 0 ? value : Number(start[name]);
    };
    return {
      tab: text("tab"),
      q: text("q"),
      outcome: text("outcome"),
      agent: text("agent"),
      suite: text("suite"),
      tag: text("tag"),
      change: text("change"),
      sort: text("sort"),
      page: Math.max(1, number("page")),
      case: number("case"),
      run: Math.max(1, number("run")),
      against: number("against"),
    };
  }

  /** The address of the view with these changes. */
  function link(changes: Partial<View>): string {
    const given = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...current, ...changes })) {
      if (value !== start[name as keyof View]) given.set(name, String(value));
    }
    return `#${given.toString()}`;
  }

  function announce(): void {
    for (const listener of listeners) listener(current);
  }

  /** In place: going back leads to before the first of such changes. */
  function change(changes: Partial<View>): void {
    const next = link(changes);
    current = { ...current, ...changes };
    try {
      browser.history.replaceState(null, "", next);
    } catch {
      // A frame without an address of its own: the view works, only its link does not.
    }
    announce();
  }

  /** With a step in the history. */
  function go(changes: Partial<View>): void {
    browser.location.hash = link(changes);
  }

  browser.addEventListener("hashchange", () => {
    current = read(browser.location.hash);
    announce();
  });

  return {
    get: () => current,
    read,
    link,
    change,
    go,
    onChange: (listener: (view: View) => void) => void listeners.push(listener),
  };
}
