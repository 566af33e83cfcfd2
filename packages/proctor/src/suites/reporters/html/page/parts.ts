// Every part of the page, by the name under which the page gets it.
import { createArtifacts } from "./create-artifacts.ts";
import { createCaseTable } from "./create-case-table.ts";
import { createCaseView } from "./create-case-view.ts";
import { createChecks } from "./create-checks.ts";
import { createCode } from "./create-code.ts";
import { createComparison } from "./create-comparison.ts";
import { createContests } from "./create-contests.ts";
import { createDetails } from "./create-details.ts";
import { createDiff } from "./create-diff.ts";
import { createDom } from "./create-dom.ts";
import { createEventLook } from "./create-event-look.ts";
import { createFilters } from "./create-filters.ts";
import { createForest } from "./create-forest.ts";
import { createFormat } from "./create-format.ts";
import { createHeader } from "./create-header.ts";
import { createKeys } from "./create-keys.ts";
import { createPager } from "./create-pager.ts";
import { createPlots } from "./create-plots.ts";
import { createQuery } from "./create-query.ts";
import { createRunDiff } from "./create-run-diff.ts";
import { createRunView } from "./create-run-view.ts";
import { createScales } from "./create-scale.ts";
import { createShell } from "./create-shell.ts";
import { createStatistics } from "./create-statistics.ts";
import { createStrip } from "./create-strip.ts";
import { createTheme } from "./create-theme.ts";
import { createThread } from "./create-thread.ts";
import { createTimeline } from "./create-timeline.ts";
import { createTips } from "./create-tips.ts";
import { createView } from "./create-view.ts";

export const PARTS = {
  createFormat,
  createDom,
  createView,
  createQuery,
  createDetails,
  createDiff,
  createScales,
  createPager,
  createHeader,
  createStrip,
  createFilters,
  createCaseTable,
  createPlots,
  createForest,
  createComparison,
  createContests,
  createCode,
  createEventLook,
  createTimeline,
  createArtifacts,
  createChecks,
  createThread,
  createRunDiff,
  createRunView,
  createStatistics,
  createCaseView,
  createShell,
  createTheme,
  createTips,
  createKeys,
};
