// Reads XML as strictly as a test of a report needs: well-formed or an error, elements with their attributes and text.

export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const TOKEN = /<\?xml[^>]*\?>|<(\/?)([A-Za-z_][\w.-]*)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;

export function parseXml(source: string): XmlElement {
  const document: XmlElement = { name: "", attributes: {}, children: [], text: "" };
  const open = [document];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < source.length; at = TOKEN.lastIndex) {
    const match = TOKEN.exec(source);
    if (match === null) throw new Error(`not well-formed at ${at}: ${source.slice(at, at + 60)}`);
    const [, closing, name, attributes = "", single, text] = match;
    const parent = open.at(-1);
    if (parent === undefined) throw new Error(`too many closing tags before ${at}`);
    if (text !== undefined) parent.text += unescape(text);
    if (name === undefined) continue;
    if (closing === "/") {
      if (parent.name !== name) throw new Error(`</${name}> closes <${parent.name}>`);
      open.pop();
      continue;
    }
    const element: XmlElement = { name, attributes: parseAttributes(attributes), children: [], text: "" };
    parent.children.push(element);
    if (single !== "/") open.push(element);
  }
  const [root, ...others] = document.children;
  if (open.length !== 1 || root === undefined || others.length > 0) throw new Error("not one whole element");
  return root;
}

function parseAttributes(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([\w:.-]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, unescape(value)]),
  );
}

function unescape(text: string): string {
  if (/[^\P{Cc}\t\n\r]/u.test(text)) throw new Error("a character XML forbids");
  return text.replaceAll(
    /&(?:#(x?)([0-9a-fA-F]+)|(\w+));|&/g,
    (whole, hex?: string, code?: string, name?: string) => {
      const known = name === undefined ? undefined : ENTITIES[name];
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, hex === "x" ? 16 : 10));
      if (known === undefined) throw new Error(`unknown entity ${whole}`);
      return known;
    },
  );
}
