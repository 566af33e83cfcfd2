// The page at `/`: which doors there are.
import { escapeHtml } from "./html.ts";
import { page } from "./page.ts";

const DOORS = [
  ["/docs", "API reference", "Every route, with parameters, answers and examples."],
  ["/openapi.json", "OpenAPI document", "The same for programs."],
  ["/runs", "Runs", "What was asked of agents, newest first."],
  ["/agents", "Agents", "Who can be asked."],
  ["/readyz", "Readiness", "Whether the hub can take work now."],
  ["/metrics", "Metrics", "For Prometheus."],
] as const;

export function indexPage(version: string): string {
  const items = DOORS.map(
    ([path, name, text]) =>
      `<li><a href="${path}">${name}</a> <code class="quiet">${path}</code><p class="quiet">${text}</p></li>`,
  );
  return page(
    "Proctor",
    `<main class="single">
<h1>Proctor</h1>
<p class="quiet">One hub for AI agents, whatever protocol they speak. Version ${escapeHtml(version)}.</p>
<ul class="doors">${items.join("")}</ul>
</main>`,
  );
}
