// For people: one HTML file without scripts that loads nothing. What the agent said is text in it, never markup.
import { createHash } from "node:crypto";
import { escapeXml } from "../../core/escape-xml.ts";
import { printable } from "../../core/printable.ts";
import { baselineWords } from "../compare-baseline.ts";
import type { ConformDocument, ConformRule, ConformSummary } from "../document.ts";
import { HTML_STYLE } from "./html-style.ts";
import {
  detailsOf,
  groupRules,
  isKnown,
  measuredOf,
  placeOf,
  roleWords,
  TROUBLE,
  TROUBLE_GRADES,
  verdictWords,
  type Report,
} from "./report.ts";

const FIGURES = {
  passed: "passed",
  failed: "failed",
  warnings: "warnings",
  unevaluated: "unevaluated",
  disputed: "disputed",
  advice: "advice",
} as const satisfies Partial<Record<keyof ConformSummary, string>>;

export const htmlReport: Report = (document) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Proctor">
<title>${text(`${document.title} conformance: ${verdictWords(document)}`)}</title>
<style>${HTML_STYLE}</style>
</head>
<body>
${header(document)}
<main>
${TROUBLE_GRADES.map((grade) => troubleSection(document, grade)).join("")}${allRules(document)}</main>
</body>
</html>
`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(HTML_STYLE).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

function header(document: ConformDocument): string {
  const { agent, baseline, bindings, checked_at, proctor_version, strict, summary, title, verdict } =
    document;
  const about = [
    roleWords(document),
    ...(bindings ? [bindings.join(", ")] : []),
    ...(strict ? ["strict"] : []),
    ...(document.complete ? [] : ["some rules only"]),
    `checked ${checked_at.replace(/T(.*?)(?:\.\d+)?Z$/, " $1 UTC")}`,
    `${(summary.duration_ms / 1000).toFixed(1)} s`,
    `Proctor ${proctor_version}`,
  ];
  const figures = Object.entries(FIGURES).map(
    ([key, word]) =>
      // The keys are those of FIGURES.
      `<div class="${summary[key as keyof typeof FIGURES] > 0 ? word : "none"}"><dt>${word}</dt><dd>${summary[key as keyof typeof FIGURES]}</dd></div>`,
  );
  return `<header>
<p class="brand">${text(title)} conformance</p>
<h1>${text(agent)}</h1>
<p class="verdict ${verdict}">${text(verdictWords(document))}</p>
<p class="about">${text(about.join(" · "))}</p>
${baseline ? `<p class="baseline ${baseline.outcome}">${text(`since ${baseline.file}: ${baselineWords(baseline)}`)}</p>\n` : ""}<dl class="figures">${figures.join("")}</dl>
</header>`;
}

function troubleSection(document: ConformDocument, grade: keyof typeof TROUBLE): string {
  const rules = document.rules.filter((rule) => rule.grade === grade);
  if (rules.length === 0) return "";
  const cards = rules.map((rule) => card(rule, isKnown(document, rule)));
  return `<section class="${grade}">\n<h2>${TROUBLE[grade]} <small>${rules.length}</small></h2>\n${cards.join("")}</section>\n`;
}

function card(rule: ConformRule, known: boolean): string {
  const { id, title, evidence } = rule;
  const details = detailsOf(rule).map(({ kind, text: said }) => {
    switch (kind) {
      case "reason":
      case "advice":
        return `<p class="${kind}-text">${text(said)}</p>\n`;
      case "disputed":
        return `<p class="disputed-text">disputed: ${text(said)}</p>\n`;
      case "expected":
      case "got":
      case "measured":
      case "reproduce":
        return `<div class="${kind}"><p class="label">${kind}</p><pre tabindex="0">${text(said)}</pre></div>\n`;
    }
  });
  const folded =
    evidence === undefined
      ? ""
      : `<details><summary>evidence</summary><pre>${text(JSON.stringify(evidence, null, 2))}</pre></details>\n`;
  return `<article id="${text(id)}">
<h3><code>${text(id)}</code>${known ? ' <span class="known">known</span>' : ""}</h3>
<p class="title">${text(title)} <span class="place">${text(placeOf(rule))}</span></p>
${details.join("")}${folded}</article>
`;
}

function allRules({ rules }: ConformDocument): string {
  const groups = [...groupRules(rules)].map(([group, some]) => {
    const passed = some.filter(({ grade }) => grade === "passed").length;
    return `<h3 class="group"><code>${text(group)}</code> <small>${passed} of ${some.length} passed</small></h3>\n<ul class="rules">\n${some.map(line).join("")}</ul>\n`;
  });
  return `<section>\n<h2>All rules <small>${rules.length}</small></h2>\n${groups.join("")}</section>\n`;
}

function line(rule: ConformRule): string {
  const { id, title, grade } = rule;
  const name = `<code>${text(id)}</code>`;
  const linked = grade in TROUBLE ? `<a href="#${text(id)}">${name}</a>` : `<span>${name}</span>`;
  const measured = measuredOf(rule);
  const word = grade === "no_occasion" ? "no occasion" : grade;
  return `<li class="${grade}"><span class="grade">${word}</span>${linked}<span>${text(title)}${measured === undefined ? "" : `<br><b>${text(measured)}</b>`}</span><span class="place">${text(placeOf(rule))}</span></li>\n`;
}

/** Escapes a text: control characters are made visible, tabs and line breaks are kept. */
function text(said: string): string {
  return escapeXml(printable(said.replaceAll("\r\n", "\n")));
}
