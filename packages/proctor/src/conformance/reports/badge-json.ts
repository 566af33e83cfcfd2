// The badge as data, in the form that services which draw badges from an endpoint read.
import { badgeOf } from "./badge.ts";
import type { Report } from "./report.ts";

export const badgeJsonReport: Report = (document) => {
  const { label, message, color } = badgeOf(document);
  return `${JSON.stringify({ schemaVersion: 1, label, message, color })}\n`;
};
