// Which version of A2A a request speaks: specification 1.0, section 3.6. A request that does not say it is taken for 0.3, unless its
// method or path exists only in 1.0: such a client is served, and told what it should have sent.
import { A2aError } from "../errors.ts";
import type { A2aVersion } from "../service.ts";

export const VERSION_HEADER = "A2A-Version";

/**
 * Returns the version that the request names, by its header or the query parameter of the same name; undefined when it names none. Patch numbers do
 * not count. Throws VERSION_NOT_SUPPORTED.
 */
export function readVersion(
  { headers, url }: Request,
  versions: readonly A2aVersion[],
): A2aVersion | undefined {
  const named = headers.get(VERSION_HEADER)?.trim() || new URL(url).searchParams.get(VERSION_HEADER)?.trim();
  return named === undefined || named === "" ? undefined : knownVersion(named, versions);
}

/** Throws VERSION_NOT_SUPPORTED where the version is not one of these. */
export function knownVersion(named: string, versions: readonly A2aVersion[]): A2aVersion {
  const [, majorMinor] = /^(\d{1,4}\.\d{1,4})(?:\.\d{1,4})?$/.exec(named) ?? [];
  const version = versions.find((each) => each === majorMinor);
  if (version === undefined) throw unsupported(`version ${JSON.stringify(named.slice(0, 40))}`, versions);
  return version;
}

/** Throws VERSION_NOT_SUPPORTED where the version that a request implies is not served. */
export function requireVersion(version: A2aVersion, versions: readonly A2aVersion[]): void {
  if (!versions.includes(version))
    throw unsupported(`version ${version}, which a request means that names none,`, versions);
}

function unsupported(what: string, versions: readonly A2aVersion[]): A2aError {
  const supported = versions.join(", ");
  return new A2aError(
    "VERSION_NOT_SUPPORTED",
    `${what} is not spoken here; send the header ${VERSION_HEADER} with one of: ${supported}`,
    { metadata: { supportedVersions: supported } },
  );
}
