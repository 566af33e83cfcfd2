// The headers that every answer to an operation has: which version it speaks, which extensions are in use, and what the client should
// have said.
import type { PlainHeaders } from "../../../runtime/http/respond.ts";
import type { A2aVersion } from "../service.ts";
import { EXTENSIONS_HEADER } from "./open-call.ts";
import { VERSION_HEADER } from "./read-version.ts";

const GUESSED = `the request does not name its version; send ${VERSION_HEADER}: 1.0`;

/** `named` is the version that the request names; one that names none is 0.3 unless only 1.0 has what it asks for. */
export function answerHeaders(
  version: A2aVersion,
  named: A2aVersion | undefined,
  extensions: readonly string[] = [],
): PlainHeaders {
  return {
    [VERSION_HEADER.toLowerCase()]: version,
    ...(extensions.length > 0 && { [EXTENSIONS_HEADER[version].toLowerCase()]: extensions.join(", ") }),
    ...(named === undefined && version !== "0.3" && { "x-proctor-warning": GUESSED }),
  };
}
