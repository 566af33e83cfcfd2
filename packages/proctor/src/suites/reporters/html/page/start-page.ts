// Puts the parts of the page together. The browser gets the text of this function and of each part (../page-script.ts), so
// nothing here or there may refer to anything but its parameters, its own names and what every browser has.
import type { ReportData } from "../report-data.ts";
import type { Browser } from "./browser.ts";
import type { PARTS } from "./parts.ts";

export function startPage(browser: Browser, parts: typeof PARTS): void {
  const { document } = browser;
  // Written by the reporter.
  const data = JSON.parse(document.getElementById("report")?.textContent ?? "{}") as ReportData;
  const format = parts.createFormat();
  const dom = parts.createDom(browser, format);
  const view = parts.createView(browser);
  const query = parts.createQuery(data);
  const details = parts.createDetails(browser);
  const diff = parts.createDiff();
  const scales = parts.createScales();
  const pager = parts.createPager(dom, format);
  const header = parts.createHeader(data, dom, format);
  const strip = parts.createStrip(data, dom, view);
  const filters = parts.createFilters(data, dom, format, view, query);
  const caseTable = parts.createCaseTable(data, dom, format, view, pager);
  const plots = parts.createPlots(data, dom, format, scales);
  const forest = parts.createForest(data, dom, format, view);
  const comparison = parts.createComparison(data, dom, format, view, pager, details);
  const contests = parts.createContests(data.contests, dom, format);
  const code = parts.createCode(dom, format, diff);
  const look = parts.createEventLook(format);
  const timeline = parts.createTimeline(dom, format, scales, look, code);
  const artifacts = parts.createArtifacts(dom, format, code);
  const checks = parts.createChecks(dom, format, code);
  const runDiff = parts.createRunDiff(dom, format, look, code, artifacts);
  const thread = parts.createThread(dom, format);
  const runView = parts.createRunView(dom, format, code, { checks, timeline, artifacts, thread });
  const statistics = parts.createStatistics(dom, format);
  const caseDeps = { checks, comparison, details, runDiff, runView, statistics };
  const caseView = parts.createCaseView(data, dom, format, view, caseDeps);
  const shellDeps = { caseTable, caseView, comparison, contests, filters, forest, plots, query, strip };
  const shell = parts.createShell(browser, data, dom, format, view, shellDeps);
  const theme = parts.createTheme(browser, dom);
  const tip = parts.createTips(browser, dom, strip);

  parts.createKeys(browser, {
    search() {
      if (view.get().case > 0) view.change({ case: 0, tab: "cases" });
      filters.focus();
    },
    back: () => view.go({ case: 0, run: 1, against: 0 }),
    step: shell.step,
    isCaseOpen: () => view.get().case > 0,
  });

  document.title = `${header.title()}: ${header.verdict()}`;
  const hint = "Keys: / searches, j and k move, Enter opens, Escape goes back.";
  const foot = dom.h("footer", { class: "foot" }, dom.h("p", {}, hint));
  document.body.append(header.render(theme), shell.main, foot, tip);
  view.onChange(() => void shell.draw());
  let width = browser.innerWidth;
  browser.addEventListener("resize", () => {
    // Phones resize when they hide their bars.
    if (browser.innerWidth !== width) void shell.draw();
    width = browser.innerWidth;
  });
  void shell.draw();
}
