// The name of an artifact that is kept outside runs: application, user, session and file name, and which texts may stand there. None of
// it is ever a path on disk, yet a text that could be taken for one somewhere else is refused.
import { ProctorError } from "./errors.ts";

/** Where artifacts are listed: everything that one session of a user sees. */
export interface ArtifactScope {
  app: string;
  user: string;
  session: string;
}

export interface ArtifactKey extends ArtifactScope {
  /** A file name. With the prefix `user:` the artifact belongs to the user, and every session of the user sees it. */
  name: string;
}

/** The application whose artifacts the hub itself keeps: clients can read them, but cannot change them. */
export const HUB_APP = "proctor";

export const USER_PREFIX = "user:";
const MAX_BYTES = 255;

/** Returns true for a name that all sessions of a user share. */
export function isUserName(name: string): boolean {
  return name.startsWith(USER_PREFIX);
}

/** Throws an INVALID_REQUEST that names the field. */
export function checkScope({ app, user, session }: ArtifactScope): void {
  for (const [field, value] of Object.entries({ app, user, session })) {
    const problem = problemOf(value);
    if (problem !== undefined) throw wrong(field, problem);
  }
}

/** Throws an INVALID_REQUEST that names the field. */
export function checkKey(key: ArtifactKey): void {
  checkScope(key);
  const { name } = key;
  const problem =
    problemOf(name) ?? (isUserName(name) ? problemOf(name.slice(USER_PREFIX.length)) : undefined);
  if (problem !== undefined) throw wrong("name", problem);
}

/** Returns what is wrong with a text that is to name something; undefined when nothing is. */
function problemOf(text: string): string | undefined {
  if (text === "") return "must not be empty";
  if (text === "." || text === "..") return "must not be `.` or `..`";
  if (/[/\\]/.test(text)) return "must not hold `/` or `\\`";
  if (/\p{Cc}/u.test(text)) return "must not hold control characters";
  if (/\p{Cs}/u.test(text)) return "must be well-formed Unicode";
  if (new TextEncoder().encode(text).length > MAX_BYTES) return `must have at most ${MAX_BYTES} bytes`;
  return undefined;
}

function wrong(field: string, problem: string): ProctorError {
  return new ProctorError("INVALID_REQUEST", `the artifact's ${field} ${problem}`, {
    details: [{ path: field, message: problem }],
  });
}
