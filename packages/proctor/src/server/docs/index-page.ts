// The page at `/` and `/docs` of a hub whose dashboard was not built: links to the parts of the API.
import { escapeHtml } from "./html.ts";
import { page } from "./page.ts";

const LINKS = [
  ["/openapi.json", "OpenAPI document", "The API description for tools and generated clients."],
  ["/runs", "Runs", "All runs, newest first, as JSON."],
  ["/agents", "Agents", "The registered agents, as JSON."],
  ["/readyz", "Readiness", "Whether the hub accepts work now."],
  ["/metrics", "Metrics", "For Prometheus."],
] as const;

export function indexPage(version: string): string {
  const items = LINKS.map(
    ([path, name, text]) =>
      `<li><a href="${path}">${name}</a> <code class="quiet">${path}</code><p class="quiet">${text}</p></li>`,
  );
  return page(
    "Proctor",
    `<main class="single">
<h1>Proctor</h1>
<p class="quiet">One hub for AI agents, whatever protocol they speak. Version ${escapeHtml(version)}.</p>
<ul class="links">${items.join("")}</ul>
<p class="quiet">The dashboard and the API reference are not part of this build. <code>npm run build</code> makes them.</p>
</main>`,
  );
}
