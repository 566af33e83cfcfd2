// The string formats that document 000's schemas name: uuid, date-time and uri. They say the same as ajv-formats, the
// validator most peers use; formats.test.ts compares them.

const UUID = /^(?:urn:uuid:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Returns the id as it is compared: UUIDs are the same in either case (RFC 9562, section 4). */
export function taskKey(id: string): string {
  return isUuid(id) ? id.toLowerCase() : id;
}

/** Returns whether a message belongs to a task. */
export function isSameTask(id: unknown, taskId: unknown): boolean {
  if (typeof id !== "string" || typeof taskId !== "string") return id === taskId;
  return taskKey(id) === taskKey(taskId);
}

const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)[t\s](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d)(?::?(\d\d))?)$/i;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MINUTES_OF_DAY = 24 * 60;

/** Accepts RFC 3339, section 5.6, with a blank for the T and offsets without a colon or minutes. */
export function isDateTime(text: string): boolean {
  const match = DATE_TIME.exec(text);
  if (!match) return false;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  const hour = Number(match[4]);
  const minute = Number(match[5]);
  const second = Number(match[6]);
  const leapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && leapYear ? 29 : (DAYS[month - 1] ?? 0);
  if (day < 1 || day > days || hour > 23 || minute > 59) return false;
  const offsetHours = Number(match[8] ?? 0);
  const offsetMinutes = Number(match[9] ?? 0);
  if (offsetHours > 23 || offsetMinutes > 59) return false;
  if (second < 60) return true;
  // A leap second is 23:59:60 in UTC, whatever the offset.
  const offset = (match[7] === "-" ? -1 : 1) * (offsetHours * 60 + offsetMinutes);
  const minuteOfDay = hour * 60 + minute - offset;
  return second === 60 && (minuteOfDay + MINUTES_OF_DAY) % MINUTES_OF_DAY === MINUTES_OF_DAY - 1;
}

// RFC 3986, appendix A. %XX becomes one character first: patterns that repeat a group overflow the stack on long texts, those
// that repeat one of several characters do not.
const ESCAPED = "\ue000";
const UNRESERVED = "a-z0-9\\-._~";
const SUB_DELIMS = "!$&'()*+,;=";
const one = (characters: string): string => `[${UNRESERVED}${SUB_DELIMS}${ESCAPED}${characters}]`;
const PCHAR = one(":@");
const URI_PARTS = new RegExp(`^[a-z][a-z0-9+.-]*:([^?#]+)(?:\\?${one(":@/?")}*)?(?:#${one(":@/?")}*)?$`, "i");
const PATH = new RegExp(`^(?:/|/?${PCHAR}${one(":@/")}*)$`, "i");
const AUTHORITY = new RegExp(
  `^//?(?:${one(":")}*@)?(?:\\[([^\\]]*)\\]|${one("")}*)(?::\\d*)?(?:/${one(":@/")}*)?$`,
  "i",
);
const IP_FUTURE = new RegExp(`^v[0-9a-f]+\\.[${UNRESERVED}${SUB_DELIMS}:]+$`, "i");

/** Returns whether the text is an absolute URI that names something: `scheme:` alone is not one. */
export function isUri(text: string): boolean {
  if (text.includes(ESCAPED)) return false;
  const [, hierarchy] = URI_PARTS.exec(text.replaceAll(/%[0-9a-f]{2}/gi, ESCAPED)) ?? [];
  if (hierarchy === undefined) return false;
  if (PATH.test(hierarchy)) return true;
  const authority = AUTHORITY.exec(hierarchy);
  if (!authority) return false;
  const literal = authority[1];
  return literal === undefined || IP_FUTURE.test(literal) || isIpv6(literal);
}

/** Accepts eight groups of 16 bits; `::` stands for one or more of them, an IPv4 address at the end for two. */
function isIpv6(text: string): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === "" ? [] : half.split(":")));
  const last = groups.at(-1)?.at(-1);
  const ipv4 = last?.includes(".") === true;
  if (ipv4 && !isIpv4(last)) return false;
  const all = groups.flat();
  const hex = ipv4 ? all.slice(0, -1) : all;
  const size = hex.length + (ipv4 ? 2 : 0);
  return (
    hex.every((group) => /^[0-9a-f]{1,4}$/i.test(group)) && (halves.length === 2 ? size <= 7 : size === 8)
  );
}

function isIpv4(text: string): boolean {
  const bytes = text.split(".");
  return bytes.length === 4 && bytes.every((byte) => /^\d{1,3}$/.test(byte) && Number(byte) <= 255);
}
