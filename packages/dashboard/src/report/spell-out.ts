// Marks that turn text around, hide, or break lines elsewhere, spelled out in JSON before it is read: a reader sees what is there, and nothing changes place.
// Joiners stay, because emoji and some scripts are written with them.

const MARKS = /[\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Returns the JSON with the marks spelled out, in names of fields as in values, so that both still fit together. */
export function spellOut(json: string): string {
  return json.replace(MARKS, (char) => `\\\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
