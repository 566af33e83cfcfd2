// Any text as the content of an XML 1.0 element or attribute, and whole attributes.

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

// What XML 1.0 has no way to write: most control characters, halves of surrogate pairs, U+FFFE and U+FFFF.
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

export function escapeXml(text: string): string {
  return (
    text
      .replace(FORBIDDEN, "\ufffd")
      .replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
      // Inside an attribute a parser would turn these into spaces.
      .replace(/[\t\n\r]/g, (char) => `&#${char.charCodeAt(0)};`)
  );
}

/** The attributes of an element, each with a blank before it. */
export function xmlAttributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join("");
}
