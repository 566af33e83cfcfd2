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
  /** Set for a page that shows nothing that needs a token, and is there for a visitor without one. */
  open?: true;
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
    path: "evaluations",
    title: texts.nav.evaluations,
    listed: true,
    component: lazy(() =>
      import("./pages/evaluations/evaluations-page.tsx").then(({ EvaluationsPage }) => EvaluationsPage),
    ),
  },
  {
    path: "evaluations/:id",
    title: texts.nav.evaluations,
    listed: false,
    component: lazy(() =>
      import("./pages/evaluations/evaluation-page.tsx").then(({ EvaluationPage }) => EvaluationPage),
    ),
  },
  {
    path: "evaluations/:id/cases/:case",
    title: texts.nav.evaluations,
    listed: false,
    component: lazy(() => import("./pages/evaluations/case-page.tsx").then(({ CasePage }) => CasePage)),
  },
  {
    path: "evaluations/:id/compare/:other",
    title: texts.nav.evaluations,
    listed: false,
    component: lazy(() =>
      import("./pages/evaluations/comparison-page.tsx").then(({ ComparisonPage }) => ComparisonPage),
    ),
  },
  {
    path: "goals",
    title: texts.nav.goals,
    listed: true,
    component: lazy(() => import("./pages/goals/goals-page.tsx").then(({ GoalsPage }) => GoalsPage)),
  },
  {
    path: "goals/:id",
    title: texts.nav.goals,
    listed: false,
    component: lazy(() => import("./pages/goals/goal-page.tsx").then(({ GoalPage }) => GoalPage)),
  },
  {
    path: "goals/:id/diff/:other",
    title: texts.nav.goals,
    listed: false,
    component: lazy(() =>
      import("./pages/goals/goal-diff-page.tsx").then(({ GoalDiffPage }) => GoalDiffPage),
    ),
  },
  {
    path: "agents",
    title: texts.nav.agents,
    listed: true,
    component: lazy(() => import("./pages/agents/agents-page.tsx").then(({ AgentsPage }) => AgentsPage)),
  },
  {
    path: "agents/:name",
    title: texts.nav.agents,
    listed: false,
    component: lazy(() => import("./pages/agents/agent-page.tsx").then(({ AgentPage }) => AgentPage)),
  },
  {
    path: "doubles",
    title: texts.nav.doubles,
    listed: true,
    component: lazy(() => import("./pages/doubles/doubles-page.tsx").then(({ DoublesPage }) => DoublesPage)),
  },
  {
    path: "doubles/:id",
    title: texts.nav.doubles,
    listed: false,
    component: lazy(() => import("./pages/doubles/double-page.tsx").then(({ DoublePage }) => DoublePage)),
  },
  {
    path: "docs",
    title: texts.nav.api,
    listed: true,
    open: true,
    component: lazy(() => import("./pages/docs/docs-page.tsx").then(({ DocsPage }) => DocsPage)),
  },
  {
    path: "settings",
    title: texts.nav.settings,
    listed: true,
    component: lazy(() => import("./pages/settings/settings-page.tsx").then((page) => page.SettingsPage)),
  },
];

/** Returns the address of a page without parameters, as a link has it. */
export function hrefOf(entry: PageEntry): string {
  return pagePath(entry.path);
}
