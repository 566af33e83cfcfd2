// For a comment or an issue: the verdict, each failure with what it takes to see it again, and the rest folded away. It fits into a comment
// whatever the agent said, and nothing it said is more than text.
import { code, codeName, escapeMarkdown, foldMarkdown } from "../../core/escape-markdown.ts";
import { createPart } from "../../core/markdown-part.ts";
import { shorten } from "../../core/shorten.ts";
import { baselineWords } from "../compare-baseline.ts";
import type { ConformDocument, ConformRule } from "../document.ts";
import type { Grade } from "../grade.ts";
import {
  countWords,
  detailsOf,
  isKnown,
  measuredOf,
  placeOf,
  roleWords,
  TROUBLE,
  TROUBLE_GRADES,
  verdictWords,
  type Report,
} from "./report.ts";

/** Most characters of a comment; GitHub takes 65,536. */
const MAX_CHARACTERS = 60_000;
/** Characters kept free for the head and the headings, none of which depends on what the agent said. */
const RESERVED = 4000;
/** Most characters of one detail. A character takes up to ten when escaped; with these limits the worst failure still fits. */
const DETAIL_CHARACTERS = 400;
const COMMAND_CHARACTERS = 2000;
const REASON_CHARACTERS = 300;
const NAME_CHARACTERS = 200;

export const markdownReport: Report = (document) => {
  const room = { left: MAX_CHARACTERS - RESERVED };
  const leftOut: string[] = [];
  const take = (grade: Grade, render: (rule: ConformRule) => string): { text: string; count: number } => {
    const part = createPart(MAX_CHARACTERS);
    for (const rule of document.rules) if (rule.grade === grade) part.add(() => render(rule));
    const taken = part.take(room);
    if (taken.leftOut > 0) leftOut.push(`${taken.leftOut} ${grade}`);
    return taken;
  };
  const failed = take("failed", (rule) => failure(rule, isKnown(document, rule)));
  const others = TROUBLE_GRADES.filter((grade) => grade !== "failed").map((grade) => {
    const { text, count } = take(grade, item);
    return foldMarkdown(`${TROUBLE[grade]}: ${count}`, text);
  });
  const idle = take("no_occasion", item);
  const passed = take("passed", (rule) => `- ${nameOf(rule)}${measuredWords(rule)}\n`);
  const blocks = [
    head(document),
    failed.text,
    ...others,
    foldMarkdown(`No occasion, and no matter: ${idle.count}`, idle.text),
    foldMarkdown(`Passed: ${passed.count}`, passed.text),
    leftOut.length === 0
      ? ""
      : `Left out, because a comment has room for ${MAX_CHARACTERS} characters only: ${leftOut.join(", ")}.\n`,
  ];
  return blocks.filter((block) => block !== "").join("\n");
};

function head(document: ConformDocument): string {
  const { agent, baseline, checked_at, proctor_version, summary, title } = document;
  const lines = [
    `**${short(title)} conformance: ${verdictWords(document)}**`,
    `${codeName(agent)} ${short(roleWords(document))}: ${countWords(summary)}`,
  ];
  if (baseline) lines.push(`since ${codeName(baseline.file)}: ${short(baselineWords(baseline))}`);
  lines.push(`checked ${short(checked_at)} with Proctor ${short(proctor_version)}`);
  return `${lines.join("<br>\n")}\n`;
}

function failure(rule: ConformRule, known: boolean): string {
  const details = detailsOf(rule).map(({ kind, text }) => {
    if (kind === "reproduce") return `<pre>${escapeMarkdown(shorten(text, COMMAND_CHARACTERS))}</pre>\n`;
    if (kind === "advice") return `→ ${escapeMarkdown(shorten(text, DETAIL_CHARACTERS))}\n`;
    const label = kind === "reason" ? "" : `${kind}: `;
    return `${label}${code(shorten(text, DETAIL_CHARACTERS))}\n`;
  });
  return `#### ✗ ${nameOf(rule)}${known ? " (known)" : ""}\n\n${short(placeOf(rule))}\n\n${details.join("\n")}\n`;
}

function item(rule: ConformRule): string {
  const said = detailsOf(rule).flatMap(({ kind, text }) =>
    kind === "reason" || kind === "disputed" ? [code(shorten(text, REASON_CHARACTERS))] : [],
  );
  return `- ${nameOf(rule)} (${short(placeOf(rule))})${said.map((text) => `<br>${text}`).join("")}\n`;
}

function measuredWords(rule: ConformRule): string {
  const measured = measuredOf(rule);
  return measured === undefined ? "" : `<br>${code(shorten(measured, REASON_CHARACTERS))}`;
}

function nameOf({ id, title }: ConformRule): string {
  return `${code(id)} ${short(title)}`;
}

function short(text: string): string {
  return escapeMarkdown(shorten(text, NAME_CHARACTERS));
}
