// How a departure from document 000 is put into words: the rule, what is wrong, and where.
import type { Violation } from "../../core/event.ts";
import { schemaViolations } from "../schema-violations.ts";
import { ATP_VERSION } from "./wire.ts";

const MAX_SHOWN_CHARS = 200;

/** Major 1, also written 01, with any number of further numbers. */
const MAJOR_1 = /^0*1(?:\.[\d.]*\d)?$/;

/** Applies document 000, "Compatibility Rules": another major is rejected, a higher minor accepted. Returns undefined for a supported version. */
export function unsupportedVersion(version: string | undefined): string | undefined {
  if (version === undefined || version === ATP_VERSION || MAJOR_1.test(version)) return undefined;
  return `unsupported version ${shown(version)}; this is ${ATP_VERSION}`;
}

/** Checks "Protocol versions follow semver: MAJOR.MINOR"; the schemas of events and responses accept any text. */
export function versionViolation(rule: string, version: unknown): Violation | undefined {
  if (typeof version !== "string" || version === ATP_VERSION || /^\d+\.\d+$/.test(version)) return undefined;
  return schemaViolations(rule, [{ path: ["version"], message: "must be MAJOR.MINOR" }], { version })[0];
}

/** Returns true for a later minor version, which may name what this one does not know. */
export function isLaterMinor(version: string | undefined): boolean {
  return version !== undefined && /^0*1\.0*[1-9]\d*$/.test(version);
}

/** Kept whole or not at all: half a secret would not be recognised. */
export function shown(text: string): string {
  return text.length > MAX_SHOWN_CHARS ? `(${text.length} characters)` : JSON.stringify(text);
}
