// The file itself: one page that needs nothing from anywhere. What agents wrote is data in it, never markup or code.
import { createHash } from "node:crypto";
import type { Write } from "../../reporter.ts";
import type { PageFiles } from "./page-files.ts";
import type { ReportHead } from "./report-documents.ts";

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%230b5cad'/%3E%3Cpath d='M4 8.5l2.7 2.7L12 5.5' fill='none' stroke='white' stroke-width='2'/%3E%3C/svg%3E";

/** `rows` are JSON, one each: there may be many of them. Written in pieces, so that the whole is never in memory. */
export function writeDocument(
  write: Write,
  page: PageFiles,
  head: Omit<ReportHead, "rows">,
  rows: readonly string[],
  chunks: Iterable<string>,
): void {
  write(topOf(page));
  write(`<noscript><p>${plainSummary(head)} This report needs JavaScript to be read.</p></noscript>\n`);
  write(
    `<script type="application/json" id="report">${inData(JSON.stringify(head).slice(0, -1))},"rows":[\n`,
  );
  for (let at = 0; at < rows.length; at += 500) {
    const part = rows.slice(at, at + 500).join(",\n");
    write(`${at === 0 ? "" : ",\n"}${inData(part)}`);
  }
  write("\n]}</script>\n");
  let number = 0;
  for (const chunk of chunks) {
    write(`<script type="text/plain" id="chunk-${number}">${chunk}</script>\n`);
    number += 1;
  }
  write(`<script>${page.script}</script>\n</body>\n</html>\n`);
}

function topOf({ script, style }: PageFiles): string {
  const policy = [
    "default-src 'none'",
    `script-src '${sha256(script)}'`,
    `style-src '${sha256(style)}'`,
    "img-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join("; ")}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Proctor">
<title>Proctor report</title>
<link rel="icon" href="${ICON}">
<style>${style}</style>
</head>
<body>
<div id="app"></div>
`;
}

/** Figures only: no text of others. */
function plainSummary({ evaluation, more }: Pick<ReportHead, "evaluation" | "more">): string {
  const { planned, totals, started_at } = evaluation;
  const { passed, failed, unevaluated } = totals;
  return `${started_at}: ${planned.cases} cases, ${passed} passed, ${failed} failed, ${unevaluated} unevaluated, ${more.not_run} not run.`;
}

/** JSON inside an element: nothing in it can end the element, begin a comment, or break a line elsewhere. */
function inData(json: string): string {
  return json.replaceAll(
    /[<\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function sha256(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
