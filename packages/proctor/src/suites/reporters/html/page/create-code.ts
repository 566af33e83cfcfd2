// Long texts: with line numbers, or as a difference of two. Only as much as a reader can take in is shown at first.
import type { PageElement } from "./browser.ts";
import type { Child, Dom } from "./create-dom.ts";
import type { Diff, DiffLine } from "./create-diff.ts";
import type { Format } from "./create-format.ts";

export type Code = ReturnType<typeof createCode>;

export function createCode(dom: Dom, format: Format, diff: Diff) {
  const { h } = dom;
  const firstLines = 400;
  const context = 3;
  const maxLines = 20_000;

  /** With a button for the rest. */
  function growing(className: string, lines: readonly (() => PageElement)[]): PageElement {
    const body = h("pre", { class: className, tabindex: 0 });
    let count = 0;
    const show = (size: number): void => {
      body.append(...lines.slice(count, count + size).map((make) => make()));
      count = Math.min(lines.length, count + size);
    };
    show(firstLines);
    if (count === lines.length) return body;
    const more = dom.button(`Show all ${format.count(lines.length)} lines`, () => {
      show(maxLines);
      more.hidden = true;
    });
    return h("div", {}, body, more);
  }

  function text(source: string): PageElement {
    const lines = source.split("\n").slice(0, maxLines);
    return growing(
      "code",
      lines.map((line) => () => h("span", { class: "line" }, `${line}\n`)),
    );
  }

  /** Where nothing changed for long, only the lines next to a change are shown. */
  function folded(lines: readonly DiffLine[]): (DiffLine | number)[] {
    const near = new Set<number>();
    for (const [at, { kind }] of lines.entries()) {
      if (kind === "same") continue;
      for (let by = -context; by <= context; by++) near.add(at + by);
    }
    const shown: (DiffLine | number)[] = [];
    let skipped: DiffLine[] = [];
    const unfold = (): void => {
      // A note is not shorter than a line or two.
      if (skipped.length > 2) shown.push(skipped.length);
      else shown.push(...skipped);
      skipped = [];
    };
    for (const [at, line] of lines.entries()) {
      if (!near.has(at)) skipped.push(line);
      else {
        unfold();
        shown.push(line);
      }
    }
    unfold();
    return shown;
  }

  /** The part of a line that its counterpart does not have. */
  function marked(line: DiffLine, other: DiffLine | undefined): Child {
    if (other === undefined || line.kind === "same" || other.kind === line.kind || other.kind === "same")
      return line.text;
    const { head, tail } = diff.changedPart(line.text, other.text);
    if (head + tail === 0) return line.text;
    const end = line.text.length - tail;
    return [line.text.slice(0, head), h("mark", {}, line.text.slice(head, end)), line.text.slice(end)];
  }

  /** A removed line that one added line follows directly, and that one. */
  function pairs(lines: readonly (DiffLine | number)[]): Map<DiffLine, DiffLine> {
    const kind = (at: number): string => {
      const line = lines[at];
      return typeof line === "object" ? line.kind : "";
    };
    const found = new Map<DiffLine, DiffLine>();
    for (let at = 0; at < lines.length - 1; at++) {
      const [one, other] = [lines[at], lines[at + 1]];
      if (typeof one !== "object" || typeof other !== "object") continue;
      const isPair = one.kind === "removed" && other.kind === "added";
      if (!isPair || kind(at - 1) === "removed" || kind(at + 2) === "added") continue;
      found.set(one, other).set(other, one);
    }
    return found;
  }

  function difference(before: string, after: string): PageElement {
    if (before === after) return h("p", { class: "quiet" }, "No difference.");
    const cut = (source: string): string[] => source.split("\n").slice(0, maxLines);
    const shown = folded(diff.lines(cut(before), cut(after)));
    const paired = pairs(shown);
    const signs = { same: " ", removed: "−", added: "+" };
    const make = (line: DiffLine | number) => (): PageElement => {
      if (typeof line === "number")
        return h("span", { class: "fold" }, `${format.plural(line, "equal line")}\n`);
      const number = (at: number): PageElement =>
        h("span", { class: "at", "aria-hidden": "true" }, at === 0 ? "" : at);
      return h(
        "span",
        { class: `change-line ${line.kind}` },
        number(line.before),
        number(line.after),
        h("span", { class: "sign" }, signs[line.kind]),
        h("span", { class: "said" }, marked(line, paired.get(line)), "\n"),
      );
    };
    return growing("diff", shown.map(make));
  }

  return { text, difference };
}
