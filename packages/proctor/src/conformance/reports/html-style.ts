// The style of the page: one column on a phone, figures beside each other on a screen, light or dark as the reader has it.

const LIGHT = `
  --ground: #ffffff; --raised: #f6f7f9; --line: #dfe3e8; --text: #1a212b; --quiet: #5a6675; --accent: #0b5cad;
  --pass: #14764a; --fail: #c0273d; --warn: #8a5a00; --note: #0b5cad;
  color-scheme: light;`;

const DARK = `
  --ground: #12161c; --raised: #1a2029; --line: #2b333f; --text: #e4e9f0; --quiet: #9aa6b5; --accent: #7db4f0;
  --pass: #55c08a; --fail: #ff7b8a; --warn: #e6b04c; --note: #7db4f0;
  color-scheme: dark;`;

export const HTML_STYLE = `
:root {${LIGHT}
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", sans-serif;
  --mono: ui-monospace, SFMono-Regular, "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
@media screen and (prefers-color-scheme: dark) { :root {${DARK} } }
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 28px 32px 64px; max-width: 1100px; background: var(--ground); color: var(--text);
  font: 15px/1.5 var(--sans); font-variant-numeric: tabular-nums; overflow-wrap: anywhere; -webkit-text-size-adjust: 100%; text-size-adjust: 100%;
}
h1, h2, h3, p, ul, dl, dd, pre { margin: 0; padding: 0; }
h1 { font-size: 24px; line-height: 1.25; font-weight: 650; }
h2 { font-size: 20px; font-weight: 650; margin: 36px 0 12px; }
h3 { font-size: 15px; font-weight: 650; }
h1, h3, p, li span, pre { unicode-bidi: plaintext; }
small { color: var(--quiet); font-size: 13px; font-weight: 400; margin-left: 4px; }
code, pre { font-family: var(--mono); font-size: 13px; }
a { color: inherit; text-decoration-color: var(--quiet); text-underline-offset: 3px; }
a:hover { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.brand { color: var(--quiet); font-size: 13px; font-weight: 600; margin-bottom: 6px; }
.verdict { font-size: 19px; font-weight: 600; margin: 8px 0 2px; }
.verdict.pass, .baseline.pass { color: var(--pass); }
.verdict.fail, .baseline.fail { color: var(--fail); }
.verdict.unevaluated, .baseline.unevaluated { color: var(--warn); }
.about { color: var(--quiet); font-size: 14px; }
.baseline { margin-top: 6px; font-size: 14px; }
.figures { display: flex; flex-wrap: wrap; gap: 14px 0; margin-top: 20px; padding: 14px 0; border: solid var(--line); border-width: 1px 0; }
.figures div { padding: 0 26px; border-left: 1px solid var(--line); }
.figures div:first-child { padding-left: 0; border: 0; }
.figures dt { color: var(--quiet); font-size: 13px; }
.figures dd { color: var(--tone, var(--quiet)); font-size: 22px; font-weight: 600; line-height: 1.3; }
article { border: 1px solid var(--line); border-left: 4px solid var(--tone, var(--line)); border-radius: 6px; padding: 12px 16px 14px; margin: 0 0 12px; }
article { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); column-gap: 12px; }
article > * { grid-column: 1 / -1; }
article:target { background: var(--raised); }
.failed { --tone: var(--fail); } .warning, .warnings, .unevaluated { --tone: var(--warn); } .advice, .disputed { --tone: var(--note); }
.passed { --tone: var(--pass); } .no_occasion { --tone: var(--quiet); }
.grade { color: var(--tone); font-size: 13px; font-weight: 600; }
.title { margin-top: 2px; }
.place { color: var(--quiet); font-size: 13px; }
.title .place { margin-left: 6px; }
.known { color: var(--quiet); border: 1px solid var(--line); border-radius: 10px; padding: 1px 8px; font-size: 12px; font-weight: 400; }
.reason-text { margin-top: 8px; font-weight: 550; white-space: pre-wrap; }
.advice-text, .disputed-text { margin-top: 8px; white-space: pre-wrap; }
.advice-text { color: var(--quiet); }
.label { color: var(--quiet); font-size: 12px; font-weight: 600; margin-top: 10px; }
article > .expected, article > .got { grid-column: auto; }
pre { white-space: pre-wrap; background: var(--raised); border: 1px solid var(--line); border-radius: 4px; padding: 7px 10px; margin-top: 3px; max-height: 480px; overflow: auto; }
.reproduce pre { cursor: copy; -webkit-user-select: all; user-select: all; }
details { margin-top: 10px; }
summary { cursor: pointer; color: var(--quiet); font-size: 13px; width: fit-content; padding: 2px 0; }
.group { margin: 22px 0 6px; }
.rules { list-style: none; border-top: 1px solid var(--line); }
.rules li { display: grid; grid-template-columns: 92px minmax(180px, 280px) minmax(0, 1fr) minmax(120px, 220px); gap: 2px 12px; padding: 6px 0; border-bottom: 1px solid var(--line); align-items: baseline; }
.rules .place { text-align: right; }
@media (max-width: 720px) {
  body { padding: 18px 16px 48px; }
  h1 { font-size: 20px; }
  .figures { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 12px 16px; }
  .figures div { padding: 0; border: 0; }
  article { padding: 10px 12px 12px; }
  article > .expected, article > .got { grid-column: 1 / -1; }
  .rules li { grid-template-columns: minmax(0, 1fr) auto; padding: 8px 0; }
  .rules .grade { grid-column: 2; grid-row: 1; }
  .rules li > :nth-child(2) { grid-column: 1; grid-row: 1; }
  .rules li > :nth-child(n + 3) { grid-column: 1 / -1; }
  .rules .place { text-align: left; }
  summary { padding: 8px 0; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 11pt; }
  article, .rules li { break-inside: avoid; }
  pre { max-height: none; overflow: visible; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
