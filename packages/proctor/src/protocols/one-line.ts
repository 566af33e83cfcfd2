// JSON as one line for every reader of lines: JSON may hold U+2028 and U+2029 as they are, and some readers break at them.

const BREAKS = /[\u2028\u2029]/;

export function oneLine(json: string): string {
  if (!BREAKS.test(json)) return json;
  return json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
