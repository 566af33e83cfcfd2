// The frame of every page: navigation, the state of the connection, the token, the keys; inside it the page that the address names.
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import { BASE, pagePath } from "./api/address.ts";
import { refusal } from "./api/token.ts";
import { KeySheet } from "./components/key-sheet.tsx";
import { Login } from "./components/login.tsx";
import { Failed } from "./components/notice.tsx";
import { Side } from "./components/side.tsx";
import { Toast } from "./components/toast.tsx";
import { PAGES } from "./pages.ts";
import { useKeys } from "./state/keys.ts";
import { texts } from "./texts.ts";

/** Addresses that pages answer; all others (the API, its reference) are left to the browser. */
const SCOPE = new RegExp(`^${BASE.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?:$|[?]|ui(?:/|$|[?]))`);

export function App() {
  return (
    <LocationProvider scope={SCOPE}>
      <a class="skip" href="#content">
        {texts.skip}
      </a>
      <Side />
      <main id="content" tabIndex={-1}>
        <Page />
      </main>
      <Keys />
      <Toast />
    </LocationProvider>
  );
}

function Page() {
  const [error, setError] = useState<Error | undefined>(undefined);
  const { url, path } = useLocation();
  useEffect(() => setError(undefined), [url]);
  const isOpen = PAGES.some((page) => page.open === true && pagePath(page.path) === path);
  if (refusal.value !== undefined && !isOpen) return <Login reason={refusal.value} />;
  if (error !== undefined) return <Failed error={error} />;
  return (
    <ErrorBoundary onError={setError}>
      <Router>
        {PAGES.map(({ path, component }) => (
          <Route key={path} path={pagePath(path)} component={component} />
        ))}
        <Route default component={NothingHere} />
      </Router>
    </ErrorBoundary>
  );
}

function NothingHere() {
  return <p class="quiet">{texts.nothingHere}</p>;
}

function Keys() {
  const { route } = useLocation();
  const [shown, setShown] = useState(false);
  const go = (page: string) => () => route(pagePath(page));
  useKeys([
    { key: "?", does: texts.keys.help, act: () => setShown(true) },
    { key: "g o", does: texts.keys.overview, act: go("") },
    { key: "g r", does: texts.keys.runs, act: go("runs") },
    { key: "g i", does: texts.keys.inbox, act: go("inbox") },
    { key: "g e", does: texts.keys.evaluations, act: go("evaluations") },
    { key: "g g", does: texts.keys.goals, act: go("goals") },
    { key: "g a", does: texts.keys.agents, act: go("agents") },
  ]);
  return shown ? <KeySheet onClose={() => setShown(false)} /> : null;
}
