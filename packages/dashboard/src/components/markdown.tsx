// Markdown as elements, never as HTML: tags in it are text, only http and mailto links are links, and pictures are not loaded, because a
// request for one would reveal that this page was read.
import type { ComponentChildren, JSX } from "preact";
import { parseBlocks, type Block } from "./markdown-blocks.ts";

export function Markdown({ text }: { text: string }) {
  return <div class="markdown">{parseBlocks(text).map(block)}</div>;
}

function block(part: Block, index: number): JSX.Element {
  switch (part.kind) {
    case "heading": {
      // The page has the first two levels.
      const Level = `h${Math.min(6, part.level + 2)}` as "h3";
      return (
        <Level key={index} dir="auto">
          {inline(part.text)}
        </Level>
      );
    }
    case "code":
      return (
        <pre key={index} class="code">
          {part.text}
        </pre>
      );
    case "list": {
      const List = part.ordered ? "ol" : "ul";
      return (
        <List key={index} class="bullets" dir="auto">
          {part.items.map((item, place) => (
            <li key={place}>{inline(item)}</li>
          ))}
        </List>
      );
    }
    case "quote":
      return (
        <blockquote key={index} dir="auto">
          {inline(part.text)}
        </blockquote>
      );
    case "table":
      return (
        <table key={index}>
          <tbody>
            {part.rows.map((cells, row) => (
              <tr key={row}>
                {cells.map((cell, column) => (
                  <td key={column} dir="auto">
                    {inline(cell)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      );
    case "rule":
      return <hr key={index} />;
    default:
      return (
        <p key={index} dir="auto">
          {inline(part.text)}
        </p>
      );
  }
}

const INLINE =
  /(?<code>`+)(?<coded>.+?)\k<code>|!?\[(?<label>[^\]\n]{0,500})\]\((?<href>[^)\s]{1,2000})[^)\n]{0,200}\)|\*\*(?<strong>[^*\n]{1,2000})\*\*|(?<![\w*])[*_](?<em>[^*_\n]{1,2000})[*_](?![\w*])/g;

function inline(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    parts.push(text.slice(end, match.index));
    parts.push(element(match));
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}

function element(match: RegExpExecArray): ComponentChildren {
  const { coded, label, href = "", strong, em } = match.groups ?? {};
  const key = match.index;
  if (coded !== undefined) return <code key={key}>{coded}</code>;
  if (strong !== undefined) return <strong key={key}>{strong}</strong>;
  if (em !== undefined) return <em key={key}>{em}</em>;
  if (!/^(?:https?:|mailto:)/i.test(href)) return match[0];
  return (
    <a key={key} href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
      {label === "" ? href : label}
    </a>
  );
}
