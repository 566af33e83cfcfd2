// What a process tells the others: which runs grew and how far, and which evaluations changed. Never what was appended: a notification has at most 8,000 bytes, and a
// reader reads the log.

/** What a listener of commits receives. */
export interface News {
  runId: string;
  lastSequence: number;
  appended: number;
  ended: boolean;
  byOwner: boolean;
}

/** Most bytes of a message: the limit of PostgreSQL is 8,000. */
const MAX_BYTES = 7900;

type Entry = [runId: string, lastSequence: number, appended: number, ended: 0 | 1, byOwner: 0 | 1];

/** Returns one message, or several where one is too small. `origin` names the process, `evaluations` those that changed. */
export function encodeNews(
  origin: string,
  news: Iterable<News>,
  evaluations: Iterable<string> = [],
): string[] {
  const messages: string[] = [];
  let entries: string[] = [];
  let bytes = 0;
  const flush = (): void => {
    if (entries.length > 0) messages.push(`[${[JSON.stringify(origin), ...entries].join(",")}]`);
    entries = [];
    bytes = origin.length + 4;
  };
  flush();
  const add = (entry: Entry | string): void => {
    const text = JSON.stringify(entry);
    const size = Buffer.byteLength(text) + 1;
    if (bytes + size > MAX_BYTES) flush();
    // An id that fills a message by itself is found by the regular looks of the others.
    if (bytes + size > MAX_BYTES) return;
    entries.push(text);
    bytes += size;
  };
  for (const { runId, lastSequence, appended, ended, byOwner } of news)
    add([runId, lastSequence, appended, ended ? 1 : 0, byOwner ? 1 : 0]);
  for (const id of evaluations) add(id);
  flush();
  return messages;
}

/** Returns undefined for a text that is not one of these messages. */
export function decodeNews(
  message: string,
): { origin: string; news: News[]; evaluations: string[] } | undefined {
  let content: unknown;
  try {
    content = JSON.parse(message);
  } catch {
    return undefined;
  }
  if (!Array.isArray(content)) return undefined;
  const [origin, ...entries] = content as unknown[];
  if (typeof origin !== "string") return undefined;
  const evaluations = entries.filter((entry) => typeof entry === "string");
  return { origin, news: entries.filter(isEntry).map(toNews), evaluations };
}

function isEntry(value: unknown): value is Entry {
  return (
    Array.isArray(value) &&
    value.length === 5 &&
    typeof value[0] === "string" &&
    value.slice(1).every((part) => Number.isSafeInteger(part))
  );
}

function toNews([runId, lastSequence, appended, ended, byOwner]: Entry): News {
  return { runId, lastSequence, appended, ended: ended === 1, byOwner: byOwner === 1 };
}
