// The frame of a report: its name, the colours, the keys; inside it the dashboard's pages of one evaluation.
import { ErrorBoundary, Route, Router, useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import { linkTo } from "../api/address.ts";
import { KeySheet } from "../components/key-sheet.tsx";
import { Failed } from "../components/notice.tsx";
import { Toast } from "../components/toast.tsx";
import { ComparePage } from "../pages/compare/compare-page.tsx";
import { CasePage } from "../pages/evaluations/case-page.tsx";
import { EvaluationPage } from "../pages/evaluations/evaluation-page.tsx";
import { useKeys } from "../state/keys.ts";
import { texts } from "../texts.ts";
import { HashLocation } from "./hash-location.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";

/** Shows the report; `home` is the path of the evaluation's page. */
export function ReportApp({ home }: { home: string }) {
  return (
    <HashLocation home={home}>
      <header class="report-head">
        <a class="brand" href={linkTo(home)}>
          {texts.report.title}
        </a>
        <ThemeToggle />
      </header>
      <main id="content" tabIndex={-1}>
        <Page />
      </main>
      <footer class="report-foot quiet">{texts.report.hint}</footer>
      <Keys />
      <Toast />
    </HashLocation>
  );
}

function Page() {
  const [error, setError] = useState<Error | undefined>(undefined);
  const { url } = useLocation();
  useEffect(() => setError(undefined), [url]);
  if (error !== undefined) return <Failed error={error} />;
  return (
    <ErrorBoundary onError={setError}>
      <Router>
        <Route path="/evaluations/:id" component={EvaluationPage} />
        <Route path="/evaluations/:id/cases/:case" component={CasePage} />
        <Route path="/compare" component={ComparePage} />
        <Route default component={NothingHere} />
      </Router>
    </ErrorBoundary>
  );
}

function NothingHere() {
  return <p class="quiet">{texts.report.nothingHere}</p>;
}

function Keys() {
  const [shown, setShown] = useState(false);
  useKeys([{ key: "?", does: texts.keys.help, act: () => setShown(true) }]);
  return shown ? <KeySheet onClose={() => setShown(false)} /> : null;
}
