// Which paths of a mount need no token. A path is open only as it is written: whatever could be read in two ways (escapes, empty
// segments, dots that climb) stays behind the token, so that what is judged here is what the mount's own router sees.
import { createRouter } from "../runtime/http/router.ts";

export type IsOpen = (request: Request) => boolean;

interface OpenMount {
  path: string;
  /** True for everything at and below the mount's path. */
  open?: boolean | readonly string[];
}

const ALL: IsOpen = () => true;
const NONE: IsOpen = () => false;

export function openPaths({ path: mount, open = false }: OpenMount): IsOpen {
  if (typeof open === "boolean") return open ? ALL : NONE;
  const outside = open.find((path) => path !== mount && !path.startsWith(`${mount}/`));
  if (outside !== undefined) throw new Error(`the open path ${outside} is not below ${mount}`);
  if (open.length === 0) return NONE;
  const router = createRouter(
    open.map((path) => ({ method: "*", path })),
    "",
  );
  return (request) => {
    const path = writtenPath(request.url);
    return isPlain(path) && router.knows(path);
  };
}

/** Returns the path as it was requested, without its query; nothing is decoded. */
function writtenPath(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start === -1) return "/";
  const end = url.slice(start).search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, start + end);
}

function isPlain(path: string): boolean {
  return !/[%\\;]|\/\/|\/\.{1,2}(?:\/|$)/.test(path);
}
