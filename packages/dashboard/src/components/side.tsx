// The navigation, with what waits for a person, and the state of the connection.
import { useLocation } from "preact-iso";
import { connection } from "../api/live.ts";
import { pagePath } from "../api/address.ts";
import { hrefOf, PAGES } from "../pages.ts";
import { useShownCurrent } from "../state/use-shown-current.ts";
import { waitingCount } from "../state/waiting.ts";
import { texts } from "../texts.ts";

export function Side() {
  const { path } = useLocation();
  const row = useShownCurrent(path);
  return (
    <header class="side">
      <a class="brand" href={pagePath("")} aria-label={texts.product}>
        <svg width="20" height="20" viewBox="0 0 16 16" aria-hidden="true">
          <rect width="16" height="16" rx="4" fill="var(--accent)" />
          <path d="M4 8.5l2.7 2.7L12 5.5" fill="none" stroke="var(--on-accent)" stroke-width="2" />
        </svg>
        <span>{texts.product}</span>
      </a>
      <nav ref={row} aria-label={texts.nav.label}>
        <ul>
          {PAGES.filter(({ listed }) => listed).map((entry) => (
            <li key={entry.path}>
              <a href={hrefOf(entry)} aria-current={isCurrent(entry.path, path) ? "page" : undefined}>
                {entry.title}
                {entry.path === "inbox" && waitingCount.value > 0 && (
                  <span class="count">{waitingCount.value}</span>
                )}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="side-foot">
        <span class={`status ${connection.value === "lost" ? "bad" : "calm"}`} role="status">
          <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
            <circle
              cx="4"
              cy="4"
              r="3"
              fill={connection.value === "live" ? "var(--good)" : "none"}
              stroke="currentColor"
            />
          </svg>
          <span class={connection.value === "lost" ? "" : "wide"}>{texts.connection[connection.value]}</span>
        </span>
      </div>
    </header>
  );
}

function isCurrent(page: string, path: string): boolean {
  const own = pagePath(page);
  return page === "" ? path === own || path === pagePath("").concat("ui") : path.startsWith(own);
}
