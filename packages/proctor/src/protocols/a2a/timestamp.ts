// Times in messages: ISO 8601 with a zone, specification 1.0, section 5.6.1. They stay texts; whoever compares them parses them.
import type { Reader } from "./reading.ts";

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

export const dateTime: Reader = (value, reading) => {
  if (typeof value !== "string") return reading.wrongType("string", value);
  if (DATE_TIME.test(value) && !Number.isNaN(Date.parse(value))) return value;
  return reading.wrong("must be a time such as 2025-10-28T10:30:00.000Z");
};
