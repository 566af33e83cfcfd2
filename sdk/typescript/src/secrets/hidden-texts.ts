// Which texts follow from the values of an environment and must not be shown: the values, and the parts that an agent may
// take out of them.

/** Shortest value that is hidden: a shorter one cannot be told from ordinary text. */
const MIN_CHARS = 4;
const MIN_PART_CHARS = 8;
const MAX_PARTS = 1000;
const ORDINARY_WORDS = new Set(["true", "false", "null", "none"]);

/** Returns each text to hide, with the name of the variable to show instead. */
export function hiddenTexts(environment: Readonly<Record<string, string>>): Map<string, string> {
  const hidden = new Map<string, string>();
  for (const [name, value] of Object.entries(environment)) {
    for (const text of [value.trim(), ...partsOf(value)]) {
      const ordinary = text.length < MIN_CHARS || ORDINARY_WORDS.has(text.toLowerCase());
      if (!ordinary && !hidden.has(text)) hidden.set(text, name);
    }
  }
  return hidden;
}

/** Returns the lines of a value (a key file) and, for a JSON document, its strings and their lines. */
function partsOf(value: string): string[] {
  return [value, ...jsonStrings(value)]
    .flatMap((text) => text.split(/[\r\n]+/))
    .map((part) => part.trim())
    .filter((part) => part.length >= MIN_PART_CHARS && !/^-----[A-Z0-9 ]+-----$/.test(part))
    .slice(0, MAX_PARTS);
}

function jsonStrings(value: string): string[] {
  if (!/^\s*[[{]/.test(value)) return [];
  const strings: string[] = [];
  try {
    JSON.parse(value, (_, item: unknown) => {
      if (typeof item === "string") strings.push(item);
      return item;
    });
  } catch {
    return [];
  }
  return strings;
}
