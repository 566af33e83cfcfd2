// The parts of the page: overview, plots, comparison, case view; then what phones and paper need.

export const PARTS_STYLE = `
.overview { margin-top: 20px; }
.strip { display: block; cursor: pointer; max-width: 100%; }
.strip .pass { fill: var(--pass); } .strip .fail { fill: var(--fail); }
.strip .unevaluated { fill: var(--unevaluated); } .strip .not_run { fill: var(--not-run); }
.strip .faint { opacity: 0.18; }
.filters { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; margin-top: 18px; }
.filters input { width: 240px; }
.matches { color: var(--quiet); font-size: 13px; margin-top: 8px; }
.matches:empty { display: none; }
.empty { padding: 40px 0; text-align: center; color: var(--quiet); }

table { border-collapse: collapse; width: 100%; }
.cases { margin-top: 12px; table-layout: auto; }
.cases th { text-align: left; padding: 0; border-bottom: 1px solid var(--line); position: sticky; top: 0; background: var(--ground); z-index: 1; }
.sort { font: inherit; font-size: 13px; font-weight: 550; color: var(--quiet); background: none; border: 0; padding: 8px 10px; cursor: pointer; white-space: nowrap; }
.sort:hover, [aria-sort="ascending"] .sort, [aria-sort="descending"] .sort { color: var(--text); }
.arrow { display: inline-block; width: 12px; }
.arrow .icon { width: 12px; height: 12px; vertical-align: -1px; }
th.number .sort { padding-right: 0; }
td { padding: 9px 10px; border-bottom: 1px solid var(--line); vertical-align: top; }
.cases td:first-child, .cases th:first-child .sort { padding-left: 0; }
.number { text-align: right !important; white-space: nowrap; }
.cases td.number { padding-right: 12px; }
.cases tbody tr { cursor: pointer; }
.cases tbody tr:hover { background: var(--raised); }
.cases .name { width: 36%; }
.case-link { color: var(--text); font-weight: 550; }
.notes { display: block; color: var(--quiet); font-size: 13px; }
.why { display: block; font-size: 13px; overflow-wrap: anywhere; } tr.fail .why { color: var(--fail); }
.agent { color: var(--quiet); font-size: 14px; }
.sort-choice { display: none; }
.rate-line { display: flex; align-items: center; gap: 10px; }
.rate-text { display: grid; grid-template-columns: 46px auto; gap: 8px; align-items: baseline; white-space: nowrap; }
.rate-text b { font-weight: 550; text-align: right; }
.rate-bar { display: block; width: 96px; height: 14px; overflow: visible; flex: none; }
.rate-bar .track { stroke: var(--line); stroke-width: 2; }
.rate-bar .range { stroke: var(--line-strong); stroke-width: 4; stroke-linecap: butt; }
.rate-bar circle { fill: var(--text); }
.rate-bar.fail circle { fill: var(--fail); } .rate-bar.pass circle { fill: var(--pass); } .rate-bar.unevaluated circle { fill: var(--unevaluated); }
.rate-bar.before circle { fill: var(--ground); stroke: var(--text); stroke-width: 1.5; }
.thread { list-style: none; margin: 4px 0 10px; padding: 0; }
.said { margin: 6px 0; max-width: 46em; } .said.by-user { margin-left: 32px; }
.words { margin: 2px 0 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.turn h4 { margin: 14px 0 4px; }
.pager { display: flex; align-items: center; justify-content: center; gap: 14px; margin-top: 18px; font-size: 14px; color: var(--quiet); }

.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 430px), 1fr)); gap: 8px 40px; }
.panel { min-width: 0; }
.panel h3 { margin-top: 22px; }
.panel h3 .quiet { font-weight: 400; }
.plot { display: block; max-width: 100%; overflow: visible; }
.plot text { font-size: 12px; fill: var(--text); }
.plot .quiet, .plot .axis text { fill: var(--quiet); }
.plot .lane { white-space: pre; }
.plot .axis line { stroke: var(--line); }
.plot .bar { fill: var(--bar); } .plot .bar:hover { fill: var(--accent); }
.plot .base { stroke: var(--line-strong); }
.plot .mark { stroke: var(--text); stroke-width: 1.5; } .plot .p95 { stroke-dasharray: 3 2; }
.figures-table, .more { font-size: 14px; margin-top: 6px; }
summary { cursor: pointer; }
.more > summary, .figures-table > summary { color: var(--accent); font-size: 13px; }
.forest li, .forest-axis { display: grid; grid-template-columns: minmax(0, 1fr) minmax(120px, 1.2fr) 150px 60px; gap: 16px; align-items: center; padding: 4px 0; }
.forest li { border-bottom: 1px solid var(--line); }
.forest .rate-bar, .forest-axis .plot { width: 100%; }
.forest-axis { color: var(--quiet); font-size: 12px; border-bottom: 1px solid var(--line-strong); }
.forest-axis .plot { height: 14px; }
.forest-name { color: var(--text); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.forest-text { font-size: 13px; color: var(--quiet); text-align: right; } .forest-text b { color: var(--text); font-weight: 550; }
.forest-runs { text-align: right; }
.forest + .button { margin-top: 12px; }

.scroll { overflow-x: auto; max-width: 100%; }
td, th { overflow-wrap: break-word; }
.data tbody th { min-width: 7em; max-width: 28em; }
.data { font-size: 14px; margin-top: 10px; width: auto; min-width: min(100%, 420px); }
.data caption { text-align: left; font-size: 13px; font-weight: 600; padding-bottom: 4px; color: var(--quiet); }
.data th, .data td { text-align: left; padding: 6px 18px 6px 0; border-bottom: 1px solid var(--line); font-weight: 400; vertical-align: top; }
.data thead th { color: var(--quiet); font-size: 13px; white-space: nowrap; }
.data .number { padding: 6px 0 6px 18px; }
.tables { display: flex; flex-wrap: wrap; gap: 8px 48px; }
.findings { margin: 14px 0; padding-left: 18px; list-style: disc; }
.findings li { margin: 4px 0; }
.change .icon { color: inherit !important; align-self: center; width: 14px; height: 14px; }
.change { display: inline-flex; gap: 5px; font-weight: 550; font-size: 14px; white-space: nowrap; }
.change.regressed { color: var(--fail); } .change.improved { color: var(--pass); } .change.undecided { color: var(--unevaluated); }
.change.unchanged { color: var(--quiet); font-weight: 400; }
.side { display: grid; gap: 0; } .side-text { white-space: nowrap; }
[data-view="comparison"] .chips { margin: 20px 0 6px; }
#content > .verdict { margin-top: 22px; }
[data-view="comparison"] .data { width: 100%; }
.winner { font-size: 12px; font-weight: 600; color: var(--pass); background: var(--pass-soft); padding: 1px 8px; border-radius: 9px; }
[data-view="contests"] #content > .about { margin-top: 18px; }

[data-view="case"] .head :is(.figures, .about, .notice) { display: none; }
[data-view="case"] .head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 14px; padding-bottom: 12px; border-bottom: 1px solid var(--line); }
[data-view="case"] .head .topline { order: 3; margin: 0 0 0 auto; }
[data-view="case"] .brand { display: none; }
[data-view="case"] h1 { font-size: 16px; letter-spacing: 0; }
[data-view="case"] .head .verdict { margin: 0; font-size: 14px; gap: 6px; }
[data-view="case"] .head .verdict .icon { width: 18px; height: 18px; padding: 3px; }
.facts { display: flex; flex-wrap: wrap; gap: 10px 28px; margin: 14px 0; }
.facts dt { color: var(--quiet); font-size: 12.5px; } .facts dd { font-size: 14px; }
.case-bar { display: flex; justify-content: space-between; gap: 8px; margin: 16px 0 22px; }
.case-bar .icon { margin-right: 6px; }
.steps { display: inline-flex; gap: 8px; }
.case-about { display: flex; flex-wrap: wrap; gap: 4px 14px; align-items: center; margin: 8px 0 2px; }
.tags { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 8px; }
.tag { font-size: 12.5px; padding: 1px 9px; border-radius: 10px; background: var(--raised); border: 1px solid var(--line); color: var(--quiet); }
.task { white-space: pre-wrap; margin: 8px 0; padding: 10px 14px; background: var(--raised); border-radius: 6px; font-size: 14px; }
.block { border-top: 1px solid var(--line); margin-top: 24px; }
.block:empty { display: none; }
.block > .figures { border: 0; padding: 0; margin-top: 18px; }
.gate { display: flex; gap: 8px; margin-top: 14px; font-size: 14px; } .gate .icon { margin-top: 3px; }
.run-tabs { display: flex; flex-wrap: wrap; gap: 6px; margin-bottom: 4px; max-height: 160px; overflow-y: auto; }
.reason { margin: 10px 0; padding: 8px 12px; background: var(--fail-soft); border-left: 3px solid var(--fail); border-radius: 0 6px 6px 0; white-space: pre-wrap; font-size: 14px; }
.check { display: flex; gap: 10px; padding: 8px 0; border-bottom: 1px solid var(--line); font-size: 14px; }
.check:last-child { border: 0; }
.check > .icon { margin-top: 3px; }
.check-body { min-width: 0; flex: 1; }
.check .said { white-space: pre-wrap; }
.place { font: 12px/1.5 var(--mono); color: var(--quiet); }
.expected { margin-top: 6px; }
.removed:not(.change-line) { color: var(--fail); } .added:not(.change-line) { color: var(--pass); }

.code, .diff { margin: 6px 0 8px; padding: 8px 0; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; max-height: 520px; overflow: auto; line-height: 1.55; }
.code { counter-reset: line; white-space: pre-wrap; tab-size: 4; }
.line { display: block; padding: 0 12px 0 62px; text-indent: -52px; min-height: 1.55em; }
.line::before { counter-increment: line; content: counter(line); display: inline-block; width: 40px; margin-right: 12px; text-align: right; text-indent: 0; color: var(--quiet); user-select: none; }
.diff { white-space: pre-wrap; tab-size: 4; }
.change-line { display: grid; grid-template-columns: 38px 38px 20px minmax(0, 1fr); padding-right: 12px; }
.at { text-align: right; color: var(--quiet); user-select: none; padding-right: 4px; }
.sign { text-align: center; }
.change-line.removed { background: var(--fail-soft); } .change-line.added { background: var(--pass-soft); }
.change-line.removed .sign { color: var(--fail); } .change-line.added .sign { color: var(--pass); }
.change-line mark { color: inherit; border-radius: 2px; background: color-mix(in srgb, var(--pass) 28%, transparent); }
.change-line.removed mark { background: color-mix(in srgb, var(--fail) 26%, transparent); }
.fold { display: block; padding: 1px 12px 1px 96px; color: var(--quiet); background: var(--ground); font-family: var(--sans); font-size: 12px; }

.lanes { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 14px; font-size: 12.5px; align-items: center; margin-bottom: 12px; }
.lane-name { color: var(--quiet); font-family: var(--mono); font-size: 12px; }
.lane-bars { width: 100%; height: 18px; display: block; border-bottom: 1px solid var(--line); overflow: hidden; }
.lane-axis { width: 100%; height: 16px; }
.lane-bars .grid { stroke: var(--line); }
.event-bar { stroke-width: 2; cursor: pointer; fill-opacity: 0.75; }
.event-bar.llm { fill: var(--llm); stroke: var(--llm); } .event-bar.tool { fill: var(--tool); stroke: var(--tool); }
.event-bar.artifact { fill: var(--artifact); stroke: var(--artifact); } .event-bar.thought { fill: var(--thought); stroke: var(--thought); }
.event-bar.error { fill: var(--fail); stroke: var(--fail); } .event-bar.log { fill: var(--log); stroke: var(--log); }
.event-bar.platform { fill: var(--platform); stroke: var(--platform); }
.event { border-bottom: 1px solid var(--line); }
.event summary { display: grid; grid-template-columns: 36px 70px 150px minmax(0, 1fr) 70px; gap: 12px; padding: 4px 0; font-size: 13px; list-style: none; }
.event summary::-webkit-details-marker { display: none; }
.event summary:hover { background: var(--raised); }
.event-number, .event-at, .event-took { color: var(--quiet); text-align: right; }
.event-type { font-family: var(--mono); font-size: 12px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; padding-left: 9px; border-left: 3px solid var(--log); }
.event-type.llm { border-color: var(--llm); } .event-type.tool { border-color: var(--tool); } .event-type.artifact { border-color: var(--artifact); }
.event-type.thought { border-color: var(--thought); } .event-type.error { border-color: var(--fail); } .event-type.platform { border-color: var(--platform); }
.event-label { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.artifacts > .artifact { border-bottom: 1px solid var(--line); padding: 6px 0; font-size: 14px; }
.artifacts > .artifact summary { display: flex; flex-wrap: wrap; gap: 2px 14px; align-items: baseline; }
.artifact-name { font: 550 13px/1.5 var(--mono); } .empty-artifact .artifact-name { margin-right: 14px; }
.artifacts > .artifact summary::before { content: ""; border: 4px solid transparent; border-left: 6px solid var(--quiet); border-right: 0; align-self: center; }
.artifacts > .artifact[open] summary::before { transform: rotate(90deg); }
.artifacts > .artifact summary { list-style: none; } .artifacts > .artifact summary::-webkit-details-marker { display: none; }

@media (max-width: 720px) {
  body { padding: 18px 16px 48px; }
  h1 { font-size: 24px; } h2 { font-size: 21px; } .verdict { font-size: 17px; }
  .tabs { gap: 0 16px; } .tabs a { font-size: 14px; }
  [data-view="case"] .head .topline { display: none; }
  .figures { display: grid; grid-template-columns: 1fr 1fr; gap: 16px 20px; }
  .figures > div { padding: 0; border: 0; min-width: 0; }
  .figures .rate-bar { width: 100%; max-width: 150px; }
  .filters input { width: 100%; font-size: 16px; } .filters select { flex: 1 1 40%; max-width: none; min-width: 0; }
  .button, .chip, select, input { min-height: 40px; }
  .sort-choice { display: block; width: 100%; max-width: none; margin-top: 8px; }
  .cases thead { display: none; }
  .cases, .cases tbody { display: block; }
  .cases tr { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 4px 14px; padding: 14px 0; border-bottom: 1px solid var(--line); }
  .cases td { display: block; padding: 0; border: 0; width: auto !important; text-align: left !important; }
  .cases td.name { grid-column: 1 / -1; grid-row: 1; }
  .cases td.outcome { grid-column: 1; } .cases td.agent { grid-column: 2 / -1; text-align: right !important; overflow: hidden; text-overflow: ellipsis; }
  .cases td.rate { grid-column: 1 / -1; }
  .cases td.rate .rate-bar { flex: 1; }
  .cases td.number::before { content: attr(data-label); display: block; color: var(--quiet); font-size: 12px; }
  .stacked thead { display: none; }
  .stacked, .stacked tbody { display: block; }
  .stacked tr { display: grid; grid-template-columns: 1fr 1fr; gap: 8px 16px; padding: 14px 0; border-bottom: 1px solid var(--line); }
  .stacked tbody :is(th, td) { display: block; border: 0; padding: 0; text-align: left !important; max-width: none; }
  .stacked tbody th { grid-column: 1 / -1; }
  .stacked td::before { content: attr(data-label); display: block; color: var(--quiet); font-size: 12px; }
  .stacked .rate-bar { width: 100%; }
  .forest li, .forest-axis { grid-template-columns: minmax(0, 1fr) 112px; gap: 2px 12px; }
  .forest-name { grid-column: 1 / -1; } .forest-axis > :first-child, .forest-runs { display: none; }
  .change-line { grid-template-columns: 26px 26px 16px minmax(0, 1fr); padding-right: 6px; }
  .line { padding-left: 44px; text-indent: -38px; } .line::before { width: 28px; margin-right: 10px; }
  .event summary { grid-template-columns: 24px minmax(0, 1fr) auto; gap: 0 8px; padding: 7px 0; }
  .event-number { grid-column: 1; grid-row: 1; } .event-type { grid-column: 2; grid-row: 1; } .event-took { grid-column: 3; grid-row: 1; }
  .event-label { grid-column: 2 / -1; grid-row: 2; white-space: normal; } .event-label:empty, .event-at { display: none; }
  .lanes { gap: 0 8px; } .lane-name { font-size: 11px; max-width: 104px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 11pt; }
  .topline .button, .filters, .tabs, .pager, .case-bar, .foot, .tip, .sort-choice, .run-tabs, select, .forest + .button { display: none !important; }
  .cases th { position: static; }
  .cases tr, .check, .event, .panel, .forest li { break-inside: avoid; }
  .code, .diff { max-height: none; overflow: visible; }
  .scroll { overflow: visible; }
  a { color: inherit; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
