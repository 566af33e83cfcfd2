// The frame of every page that the server renders, and headers under which it can load and run nothing.
import { createHash } from "node:crypto";
import { escapeHtml } from "./html.ts";
import { STYLE } from "./style.ts";

const ICON = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='4' fill='#0b5cad'/><path d='M4 8.5l2.7 2.7L12 5.5' fill='none' stroke='white' stroke-width='2'/></svg>`;
const ICON_AGE_SECONDS = 86_400;

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src ${sourceOf(STYLE)}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Renders a page around `body`, which is HTML. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

/** Answers with the icon that browsers request along with every document. */
export function iconResponse(): Response {
  return new Response(ICON, {
    headers: {
      "content-type": "image/svg+xml",
      "content-security-policy": "default-src 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": `max-age=${ICON_AGE_SECONDS}`,
    },
  });
}

export function pageResponse(html: string): Response {
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": CONTENT_SECURITY_POLICY,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-cache",
    },
  });
}

/** Returns a source of the content security policy that allows exactly this text. */
function sourceOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
