// The look of the pages that the server itself renders: one style sheet, inline, for light and dark, wide and narrow.

export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f6f7f9; --line: #dfe3e8; --text: #1b2129; --quiet: #5b6673; --link: #0b5cad;
  --get: #0a6b53; --post: #7a4b00; --put: #5a3fa8; --patch: #0b5f8a; --delete: #a8231f; --accent: #0b5cad;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161b; --raised: #1a2027; --line: #2c343d; --text: #e6eaef; --quiet: #9aa6b3; --link: #7cbcff;
    --get: #5fd4b1; --post: #f0b860; --put: #b9a3ff; --patch: #72c7f0; --delete: #ff8f88; --accent: #7cbcff;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
a { color: var(--link); text-underline-offset: 0.15em; }
a:focus-visible, summary:focus-visible, button:focus-visible, input:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { font-size: 0.875em; overflow-wrap: anywhere; }
p code, td code { background: var(--raised); border-radius: 4px; padding: 0.1em 0.3em; }
pre {
  margin: 0.5rem 0 0; padding: 0.75rem 1rem; overflow-x: auto; font-size: 0.8125rem; line-height: 1.5;
  background: var(--raised); border: 1px solid var(--line); border-radius: 8px;
}
pre.copy { position: relative; padding-right: 5.5rem; }
pre.copy button {
  position: absolute; top: 0.5rem; right: 0.5rem; padding: 0.15rem 0.6rem; font: inherit; font-size: 0.75rem; cursor: pointer;
  color: var(--quiet); background: var(--ground); border: 1px solid var(--line); border-radius: 6px;
}
pre code { font-size: inherit; overflow-wrap: normal; }
[hidden] { display: none !important; }
.filter { display: block; margin-top: 0.75rem; color: var(--quiet); font-size: 0.8125rem; }
.filter input {
  display: block; width: 100%; margin-top: 0.2rem; padding: 0.35rem 0.6rem; font: inherit; color: var(--text);
  background: var(--raised); border: 1px solid var(--line); border-radius: 6px;
}
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0; letter-spacing: -0.01em; }
h2 { font-size: 1.3rem; margin: 3rem 0 0.25rem; padding-bottom: 0.4rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 0.8125rem; margin: 1.25rem 0 0.35rem; color: var(--quiet); font-weight: 600; }
p { margin: 0.35rem 0; }
.quiet { color: var(--quiet); }
.page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 76rem; margin: 0 auto; }
nav {
  position: sticky; top: 0; align-self: start; height: 100vh; overflow-y: auto; padding: 2rem 1rem 2rem 1.5rem;
  border-right: 1px solid var(--line); font-size: 0.875rem;
}
nav .brand { font-weight: 700; font-size: 1.05rem; color: var(--text); text-decoration: none; display: block; }
nav .group { display: block; margin: 1.25rem 0 0.25rem; font-weight: 600; color: var(--text); text-decoration: none; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: 0.2rem 0; color: var(--quiet); text-decoration: none; }
nav a:hover { color: var(--link); }
main { padding: 2rem clamp(1rem, 4vw, 3rem) 6rem; min-width: 0; }
.operation { border: 1px solid var(--line); border-radius: 10px; margin: 0.75rem 0; }
.operation > summary {
  display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.15rem 0.75rem; padding: 0.7rem 1rem;
  cursor: pointer; list-style: none;
}
.operation > summary::-webkit-details-marker { display: none; }
.operation > summary::after { content: "+"; margin-left: auto; color: var(--quiet); font-weight: 600; }
.operation[open] > summary::after { content: "\\2212"; }
.operation > summary:hover { background: var(--raised); border-radius: 10px; }
.operation .what { color: var(--quiet); }
/* A link to an operation points inside it, which makes the browser open it. */
.operation .body { scroll-margin-top: 4rem; padding: 0.25rem 1rem 1.1rem; border-top: 1px solid var(--line); }
.method { font: 700 0.75rem/1 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; min-width: 3.6rem; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .patch { color: var(--patch); } .delete { color: var(--delete); }
.path { font-weight: 600; }
.fields { list-style: none; margin: 0.25rem 0; padding: 0; }
.fields .fields { margin-left: 0.25rem; padding-left: 0.9rem; border-left: 2px solid var(--line); }
.fields li { padding: 0.3rem 0; }
.fields p { color: var(--quiet); font-size: 0.9rem; margin: 0; }
.name { font-weight: 600; }
.type { color: var(--quiet); font-size: 0.875rem; margin-left: 0.35rem; }
.required { color: var(--delete); font-size: 0.75rem; margin-left: 0.35rem; }
.status { display: inline-block; min-width: 4rem; font-weight: 600; }
.responses p { padding-left: 4.25rem; }
.schema { padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
.schema h3 { font-size: 1rem; color: var(--text); margin: 0; }
.links { list-style: none; padding: 0; margin: 1.5rem 0; }
.links li { padding: 0.7rem 0; border-bottom: 1px solid var(--line); }
.links a { font-weight: 600; }
.single { max-width: 40rem; margin: 0 auto; padding: 12vh 1.25rem 4rem; }
@media (max-width: 52rem) {
  .page { display: block; }
  html { scroll-padding-top: 3.75rem; }
  nav {
    z-index: 1; height: auto; padding: 0.6rem 1rem; border-right: 0; border-bottom: 1px solid var(--line);
    background: var(--ground); display: flex; gap: 0.9rem; overflow-x: auto; white-space: nowrap; align-items: baseline;
  }
  nav .group { margin: 0; font-weight: 500; }
  nav ul, nav .quiet { display: none; }
  .filter { margin: 0; } .filter input { display: inline-block; width: 9rem; margin: 0; }
  main { padding-top: 1.25rem; }
  .operation > summary::after { display: none; }
  .operation .what { flex-basis: 100%; }
  .responses p { padding-left: 0; }
}
`;
