// The document itself, which a later trial can take as its baseline.
import type { Report } from "./report.ts";

export const jsonReport: Report = (document) => `${JSON.stringify(document, null, 2)}\n`;
