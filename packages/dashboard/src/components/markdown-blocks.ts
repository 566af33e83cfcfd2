// The blocks of a Markdown text: as much of it as agents write. Reads line by line, so that no text takes longer than its length.

export type Block =
  | { kind: "paragraph" | "quote"; text: string }
  | { kind: "heading"; level: number; text: string }
  | { kind: "code"; text: string }
  | { kind: "list"; ordered: boolean; items: string[] }
  | { kind: "table"; rows: string[][] }
  | { kind: "rule" };

const ITEM = /^\s{0,6}(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;

export function parseBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? "";
    const [, fence] = /^\s{0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    const [, marks, title] = /^(#{1,6})\s+(.*)$/.exec(line) ?? [];
    if (line.trim() === "") at++;
    else if (fence !== undefined) {
      const end = lines.findIndex((other, index) => index > at && other.trim().startsWith(fence));
      const stop = end === -1 ? lines.length : end;
      blocks.push({ kind: "code", text: lines.slice(at + 1, stop).join("\n") });
      at = stop + 1;
    } else if (marks !== undefined) {
      blocks.push({ kind: "heading", level: marks.length, text: title ?? "" });
      at++;
    } else if (/^\s{0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line)) {
      blocks.push({ kind: "rule" });
      at++;
    } else if (ITEM.test(line)) at = list(lines, at, blocks);
    else if (line.startsWith(">")) {
      const quoted = take(lines, at, (other) => other.startsWith(">"));
      blocks.push({ kind: "quote", text: quoted.map((other) => other.replace(/^>\s?/, "")).join("\n") });
      at += quoted.length;
    } else if (line.trimStart().startsWith("|")) {
      const rows = take(lines, at, (other) => other.trimStart().startsWith("|"));
      blocks.push({ kind: "table", rows: rows.filter((row) => !/^[\s|:-]+$/.test(row)).map(cells) });
      at += rows.length;
    } else {
      const paragraph = take(lines, at, (other, index) => index === at || isPlain(other));
      blocks.push({ kind: "paragraph", text: paragraph.join("\n") });
      at += paragraph.length;
    }
  }
  return blocks;
}

function list(lines: readonly string[], from: number, blocks: Block[]): number {
  const items: string[] = [];
  let at = from;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const item = ITEM.exec(line);
    if (item) items.push(item[2] ?? "");
    else if (/^\s{2,}\S/.test(line) && items.length > 0) items.push(`${items.pop()}\n${line.trim()}`);
    else break;
  }
  blocks.push({ kind: "list", ordered: ITEM.exec(lines[from] ?? "")?.[1] !== undefined, items });
  return at;
}

function isPlain(line: string): boolean {
  return line.trim() !== "" && !/^\s{0,3}(?:#{1,6}\s|`{3,}|~{3,}|>|\|)/.test(line) && !ITEM.test(line);
}

function take(
  lines: readonly string[],
  from: number,
  belongs: (line: string, index: number) => boolean,
): string[] {
  let end = from;
  while (end < lines.length && belongs(lines[end] ?? "", end)) end++;
  return lines.slice(from, Math.max(end, from + 1));
}

function cells(row: string): string[] {
  return row
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());
}
