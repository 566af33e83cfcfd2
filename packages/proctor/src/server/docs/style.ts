// The look of the page that the server itself renders: one style sheet, inline, for light and dark, wide and narrow.

export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f6f7f9; --line: #dfe3e8; --text: #1b2129; --quiet: #5b6673; --link: #0b5cad; --accent: #0b5cad;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161b; --raised: #1a2027; --line: #2c343d; --text: #e6eaef; --quiet: #9aa6b3; --link: #7cbcff; --accent: #7cbcff;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
a { color: var(--link); text-underline-offset: 0.15em; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
code { font: 0.875em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
p code { background: var(--raised); border-radius: 4px; padding: 0.1em 0.3em; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0; letter-spacing: -0.01em; }
p { margin: 0.35rem 0; }
.quiet { color: var(--quiet); }
.links { list-style: none; padding: 0; margin: 1.5rem 0; }
.links li { padding: 0.7rem 0; border-bottom: 1px solid var(--line); }
.links a { font-weight: 600; }
.single { max-width: 40rem; margin: 0 auto; padding: 12vh 1.25rem 4rem; }
`;
