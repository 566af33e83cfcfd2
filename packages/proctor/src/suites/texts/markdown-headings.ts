// The headings of a Markdown text, of both kinds, except in code blocks.

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const ATX = /^ {0,3}#{1,6}(?:[ \t]+(.*))?$/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;

/** The headings without the marks around them. */
export function markdownHeadings(text: string): string[] {
  const found: string[] = [];
  let fence: string | undefined;
  let before = "";
  for (const line of text.split(/\r\n|\r|\n/)) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      const rest = line.trim();
      const closes = mark !== undefined && rest.startsWith(fence) && rest === mark;
      if (closes) fence = undefined;
      before = "";
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      before = "";
      continue;
    }
    const heading = ATX.exec(line);
    if (heading) found.push(plain(withoutClosing(heading[1] ?? "")));
    else if (UNDERLINE.test(line) && before.trim() !== "") found.push(plain(before));
    before = heading || UNDERLINE.test(line) ? "" : line;
  }
  return found;
}

/** Removes the closing marks of `## Title ##`. */
function withoutClosing(text: string): string {
  const trimmed = text.trimEnd();
  let end = trimmed.length;
  while (trimmed[end - 1] === "#") end--;
  const cut = end < trimmed.length && (end === 0 || /[ \t]/.test(trimmed[end - 1] ?? ""));
  return cut ? trimmed.slice(0, end) : trimmed;
}

/** Bold, italic and code are not part of a title. */
function plain(text: string): string {
  return text.replaceAll(/[*_`]+/g, "").trim();
}
