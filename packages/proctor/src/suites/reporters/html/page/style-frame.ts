// Colours, type, the head of the page and its controls.

const LIGHT = `
  --ground: #ffffff; --raised: #f6f7f9; --line: #dfe3e8; --line-strong: #8a94a3;
  --text: #1a212b; --quiet: #5a6675; --accent: #0b5cad;
  --pass: #14764a; --fail: #c0273d; --unevaluated: #8a5a00; --not-run: #6a7482;
  --pass-soft: #e6f4ec; --fail-soft: #fdeaec; --unevaluated-soft: #fdf2dc;
  --bar: #5b8fc7; --llm: #7a4fc4; --tool: #1f6fc2; --artifact: #17805a; --thought: #5a6f8c; --log: #8f98a5; --platform: #4a5361;
  color-scheme: light;`;

const DARK = `
  --ground: #12161c; --raised: #1a2029; --line: #2b333f; --line-strong: #7c8899;
  --text: #e4e9f0; --quiet: #9aa6b5; --accent: #7db4f0;
  --pass: #55c08a; --fail: #ff7b8a; --unevaluated: #e6b04c; --not-run: #8f9aa9;
  --pass-soft: #153025; --fail-soft: #3a1b22; --unevaluated-soft: #332816;
  --bar: #4d7fb5; --llm: #a98ae8; --tool: #6aa9ec; --artifact: #55b890; --thought: #93a7c2; --log: #6b7685; --platform: #aab4c2;
  color-scheme: dark;`;

export const FRAME_STYLE = `
:root {${LIGHT}
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", sans-serif;
  --mono: ui-monospace, SFMono-Regular, "Cascadia Mono", "SF Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
@media screen {
  :root[data-theme="dark"] {${DARK} }
}
@media screen and (prefers-color-scheme: dark) {
  :root:not([data-theme="light"]) {${DARK} }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  margin: 0 auto; padding: 28px 32px 64px; max-width: 1288px;
  background: var(--ground); color: var(--text);
  font: 15px/1.5 var(--sans); font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
  -webkit-text-size-adjust: 100%; text-size-adjust: 100%;
}
h1, h2, h3, h4, h5, p, ul, ol, dl, dd, figure { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h1 { font-size: 30px; line-height: 1.2; letter-spacing: -0.015em; font-weight: 650; }
h2 { font-size: 24px; line-height: 1.25; letter-spacing: -0.01em; font-weight: 650; }
h3 { font-size: 16px; font-weight: 650; margin: 28px 0 10px; }
h4 { font-size: 14px; font-weight: 650; margin: 22px 0 8px; }
h5 { font: 600 13px/1.5 var(--mono); margin: 14px 0 6px; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
code, pre { font-family: var(--mono); font-size: 12.5px; }
small, .quiet { color: var(--quiet); font-size: 13px; }
h1, h2, h3, td, dd, li, .said, .notes { unicode-bidi: plaintext; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
h2:focus-visible { outline: none; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.topline { display: flex; align-items: center; justify-content: space-between; margin-bottom: 18px; }
.brand { color: var(--quiet); font-size: 13px; font-weight: 600; }
.verdict { display: flex; align-items: center; gap: 10px; margin: 10px 0 4px; font-size: 19px; font-weight: 600; line-height: 1.35; }
.verdict .icon { width: 26px; height: 26px; padding: 4px; border-radius: 50%; background: currentColor; flex: none; }
.verdict .icon path { stroke: var(--ground); stroke-width: 2.2; }
.verdict.pass { color: var(--pass); } .verdict.fail { color: var(--fail); } .verdict.unevaluated { color: var(--unevaluated); }
.about { color: var(--quiet); font-size: 14px; }
.notice { margin: 12px 0 0; padding: 8px 12px; border-left: 3px solid var(--unevaluated); background: var(--unevaluated-soft); border-radius: 0 6px 6px 0; font-size: 14px; }
.head .notice + .notice { margin-top: 6px; }

.figures { display: flex; flex-wrap: wrap; gap: 16px 0; margin: 22px 0 0; padding: 16px 0; border: solid var(--line); border-width: 1px 0; }
.figures > div { padding: 0 28px; border-left: 1px solid var(--line); min-width: 120px; }
.figures > div:first-child { padding-left: 0; border: 0; }
.figures dt { color: var(--quiet); font-size: 13px; }
.figures dd { display: grid; gap: 2px; }
.figures strong { font-size: 22px; font-weight: 600; line-height: 1.3; letter-spacing: -0.01em; }
.figures .rate-bar { width: 150px; }

.tabs { display: flex; gap: 4px 22px; flex-wrap: wrap; margin: 22px 0 0; border-bottom: 1px solid var(--line); }
.tabs a { padding: 8px 0; margin-bottom: -1px; color: var(--quiet); font-weight: 550; border-bottom: 2px solid transparent; }
.tabs a:hover { color: var(--text); text-decoration: none; }
.tabs a[aria-current] { color: var(--text); border-color: var(--accent); }

.button, .chip, select, input {
  font: inherit; font-size: 14px; color: var(--text); background: var(--ground); min-height: 34px;
  border: 1px solid var(--line-strong); border-radius: 6px; padding: 5px 11px;
}
.button { cursor: pointer; display: inline-flex; align-items: center; }
.button:hover { background: var(--raised); text-decoration: none; }
.button:disabled, .button[aria-disabled] { opacity: 0.45; cursor: default; background: none; }
.button.plain { border-color: transparent; color: var(--accent); background: none; }
select { max-width: 220px; padding-right: 6px; }
.chip { cursor: pointer; border-radius: 17px; border-color: var(--line); display: inline-flex; align-items: center; gap: 5px; }
.chip:hover { border-color: var(--line-strong); }
.chip[aria-pressed="true"] { border-color: var(--accent); background: var(--accent); color: var(--ground); font-weight: 550; }
.chip[aria-pressed="true"] :is(.quiet, .icon) { color: inherit; }
.chips { display: flex; flex-wrap: wrap; gap: 6px; }

.icon { width: 16px; height: 16px; flex: none; vertical-align: -3px; }
.icon path { fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.pass > .icon, .icon.pass { color: var(--pass); }
.fail > .icon, .icon.fail { color: var(--fail); }
.unevaluated > .icon, .icon.unevaluated { color: var(--unevaluated); }
.icon.not_run { color: var(--not-run); }
.verdict .icon { color: inherit !important; }
.badge { display: inline-flex; align-items: center; gap: 5px; font-weight: 550; font-size: 14px; white-space: nowrap; }
.badge.pass { color: var(--pass); } .badge.fail { color: var(--fail); }
.badge.unevaluated { color: var(--unevaluated); } .badge.not_run { color: var(--not-run); }
.foot { margin-top: 40px; padding-top: 14px; border-top: 1px solid var(--line); color: var(--quiet); font-size: 13px; }
.tip {
  position: fixed; z-index: 9; max-width: min(420px, calc(100vw - 16px)); max-height: 40vh; overflow: hidden;
  padding: 6px 10px; border-radius: 6px; background: var(--text); color: var(--ground);
  font-size: 12.5px; line-height: 1.45; white-space: pre-wrap; pointer-events: none;
}
`;
