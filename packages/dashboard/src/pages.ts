// The pages: where each is, what it is called, and the part of the program that shows it, which is loaded when it is first opened. A new page is
// a folder in pages/ and a row here.
import type { FunctionComponent } from "preact";
import { lazy } from "preact-iso";
import { pagePath } from "./api/address.ts";
import { texts } from "./texts.ts";

export interface PageEntry {
  /** Path below `/ui/`, as the router writes it; empty for the front page. */
  path: string;
  title: string;
  /** Whether the navigation shows it. */
  listed: boolean;
  component: FunctionComponent;
}

export const PAGES: readonly PageEntry[] = [
  {
    path: "",
    title: texts.nav.overview,
    listed: true,
    component: lazy(() => import("./pages/overview/overview-page.tsx").then((page) => page.OverviewPage)),
  },
  {
    path: "inbox",
    title: texts.nav.inbox,
    listed: true,
    component: lazy(() => import("./pages/inbox/inbox-page.tsx").then((page) => page.InboxPage)),
  },
  {
    path: "runs",
    title: texts.nav.runs,
    listed: true,
    component: lazy(() => import("./pages/runs/runs-page.tsx").then((page) => page.RunsPage)),
  },
  {
    path: "runs/:id",
    title: texts.nav.run,
    listed: false,
    component: lazy(() => import("./pages/run/run-page.tsx").then((page) => page.RunPage)),
  },
  {
    path: "conversations/:id",
    title: texts.nav.conversation,
    listed: false,
    component: lazy(() =>
      import("./pages/conversation/conversation-page.tsx").then((page) => page.ConversationPage),
    ),
  },
  {
    path: "compare",
    title: texts.nav.compare,
    listed: false,
    component: lazy(() => import("./pages/compare/compare-page.tsx").then((page) => page.ComparePage)),
  },
  {
    path: "settings",
    title: texts.nav.settings,
    listed: true,
    component: lazy(() => import("./pages/settings/settings-page.tsx").then((page) => page.SettingsPage)),
  },
];

/** The address of a page without parameters, as a link has it. */
export function hrefOf(entry: PageEntry): string {
  return pagePath(entry.path);
}
