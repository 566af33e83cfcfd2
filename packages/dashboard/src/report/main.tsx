// The start of a report: the documents in the file are the source, and pages are told apart behind the hash.
import { render } from "preact";
import { putPagesBehindHash, segment } from "../api/address.ts";
import { setSource } from "../api/source.ts";
import "../styles/theme.css";
import "../styles/base.css";
import "../styles/components.css";
import { setTheme, THEMES } from "../state/theme.ts";
import { fileSource } from "./file-source.ts";
import { readChunks } from "./read-chunks.ts";
import { ReportApp } from "./report-app.tsx";
import type { ReportHead } from "./report-documents.ts";
import { spellOut } from "./spell-out.ts";
import "./report.css";

const textOf = (id: string): string | undefined => document.getElementById(id)?.textContent ?? undefined;

/** Applies the choice that this browser remembers, as public/theme.js does for the hub's pages. */
function applyTheme(): void {
  try {
    const kept = localStorage.getItem("proctor.theme");
    setTheme(THEMES.find((name) => name === kept) ?? "system");
  } catch {
    // Not every browser lets a file remember something.
  }
}

const root = document.getElementById("app");
if (root !== null) {
  // Written by the reporter.
  const head = JSON.parse(spellOut(textOf("report") ?? "{}")) as ReportHead;
  const chunks = document.querySelectorAll("script[type='text/plain']").length;
  putPagesBehindHash();
  setSource(
    fileSource(
      head,
      readChunks(chunks, (chunk) => textOf(`chunk-${chunk}`)),
    ),
  );
  applyTheme();
  render(<ReportApp home={`/evaluations/${segment(head.evaluation.id)}`} />, root);
}
