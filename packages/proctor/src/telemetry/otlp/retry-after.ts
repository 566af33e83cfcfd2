// How long a collector wants to be left alone: the header Retry-After, in both of its forms (RFC 9110, 10.2.3).

/** Returns the milliseconds from now; undefined when the header is absent or cannot be read. */
export function retryAfter(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Date.parse takes much that is not a date, and every HTTP date has a letter.
  const dateMs = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}
