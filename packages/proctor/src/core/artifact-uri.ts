// How an artifact is named in a message: `artifact://{app}/{user}/{session}/{name}?version=n`, each segment percent-encoded. Without a
// version it is the latest.
import { checkKey, type ArtifactKey } from "./artifact-key.ts";
import { ProctorError } from "./errors.ts";

export interface ArtifactReference extends ArtifactKey {
  /** Number of the version, from 1; the latest version when absent. */
  version?: number;
}

const SCHEME = "artifact://";
const SEGMENT = "[A-Za-z0-9\\-._~!$&'()*+,;=:@%]+";
const FORM = new RegExp(
  `^artifact://(${SEGMENT})/(${SEGMENT})/(${SEGMENT})/(${SEGMENT})(?:\\?version=([^&#]*))?$`,
  "i",
);
/** Characters of a URI; what a sentence puts behind one is cut off by TRAILING. */
const IN_TEXT = new RegExp(`\\bartifact://(?:${SEGMENT}/){3}${SEGMENT}(?:\\?version=[A-Za-z0-9]+)?`, "gi");
const TRAILING = /[.,;:!'()*]+$/;
const MAX_VERSION = 2 ** 31 - 1;

export function isArtifactUri(text: string): boolean {
  return text.slice(0, SCHEME.length).toLowerCase() === SCHEME;
}

export function writeArtifactUri({ app, user, session, name, version }: ArtifactReference): string {
  const path = [app, user, session, name].map(encodeSegment).join("/");
  return `${SCHEME}${path}${version === undefined ? "" : `?version=${version}`}`;
}

/** Throws INVALID_REQUEST for a text that names no artifact. */
export function parseArtifactUri(text: string): ArtifactReference {
  const match = FORM.exec(text);
  if (match === null) throw malformed("the form is artifact://{app}/{user}/{session}/{name}?version=n");
  const [, app, user, session, name] = match.map((segment) => decodeSegment(segment ?? ""));
  const key = { app: app ?? "", user: user ?? "", session: session ?? "", name: name ?? "" };
  checkKey(key);
  const written = match[5];
  if (written === undefined || written === "latest") return key;
  const version = /^[1-9]\d{0,9}$/.test(written) ? Number(written) : 0;
  if (version < 1 || version > MAX_VERSION) throw malformed("a version is a number from 1 on, or `latest`");
  return { ...key, version };
}

/** Returns the texts in a sentence that have the form of a reference, each once, in order. */
export function findArtifactUris(text: string): string[] {
  const found = Array.from(text.matchAll(IN_TEXT), ([uri]) => uri.replace(TRAILING, ""));
  return [...new Set(found)];
}

/** A name that ends like a sentence keeps its last character through `findArtifactUris`. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replaceAll(
    /[!'()*]|\.$/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw malformed("a percent sign must begin an escape of UTF-8");
  }
}

function malformed(rule: string): ProctorError {
  return new ProctorError("INVALID_REQUEST", `this is no artifact's URI: ${rule}`);
}
