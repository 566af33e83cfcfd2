// The pages for people: `/` and everything below `/ui`. They are open, because they hold no data: what they show they ask of the API, with the
// token that the visitor gave. Every page path answers the same document, whose base address is relative, so that a proxy may put the hub below
// any path.
import { ProctorError } from "../../core/errors.ts";
import { matchesTag } from "../../runtime/http/byte-range.ts";
import { emptyResponse, type PlainHeaders } from "../../runtime/http/respond.ts";
import type { Mount } from "../app.ts";
import type { DashboardFile, DashboardFiles } from "./dashboard-files.ts";

/** Path of the pages. */
const ROOT = "/ui";
/** What the build writes into `index.html` where the base address belongs. */
const BASE_MARK = "%BASE%";

/** Pages load nothing from elsewhere and run nothing that the build did not make; files of agents are shown without a script or a request. */
const POLICY = [
  "default-src 'self'",
  // The player of terminal recordings is WebAssembly; no text is ever evaluated as script.
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "frame-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const PAGE_HEADERS: PlainHeaders = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-cache",
};
const FILE_HEADERS: PlainHeaders = {
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};
/** `Cache-Control` of assets, whose names hold a hash of their content. */
const FOR_EVER = "public, max-age=31536000, immutable";

export interface Dashboard {
  mount: Mount;
  /** Answers a request for the front page. */
  front(request: Request): Promise<Response>;
}

export function createDashboard(files: DashboardFiles): Dashboard {
  async function pageAt(request: Request, path: string): Promise<Response> {
    const file = await files.read("index.html", "");
    if (file === undefined) throw nothingThere();
    const base = "../".repeat(path.split("/").length - 2) || "./";
    const html = new TextDecoder().decode(file.bytes).replace(BASE_MARK, base);
    const etag = file.etag.replace(/"$/, `-${path.split("/").length}"`);
    const headers = { ...PAGE_HEADERS, "content-type": file.type, etag };
    if (matchesTag(request.headers.get("if-none-match"), etag)) return emptyResponse(304, headers);
    return new Response(request.method === "HEAD" ? null : html, { headers });
  }

  async function fileAt(request: Request, name: string): Promise<Response | undefined> {
    const file = await files.read(name, request.headers.get("accept-encoding") ?? "");
    return file && answer(request, name, file);
  }

  return {
    front: (request) => pageAt(request, "/"),
    mount: {
      path: ROOT,
      open: true,
      async fetch(request) {
        if (request.method !== "GET" && request.method !== "HEAD") {
          throw new ProctorError("METHOD_NOT_ALLOWED", "pages take GET, HEAD");
        }
        const { pathname } = new URL(request.url);
        const name = pathname.slice(ROOT.length + 1);
        const file = name === "index.html" ? undefined : await fileAt(request, name);
        if (file !== undefined) return file;
        // A file that is gone must not be answered with a page, which a browser would keep as a script.
        if (name.startsWith("assets/")) throw nothingThere();
        return pageAt(request, pathname);
      },
    },
  };
}

function answer(request: Request, name: string, { type, bytes, etag, encoding }: DashboardFile): Response {
  const headers = {
    ...FILE_HEADERS,
    "content-type": type,
    "cache-control": name.startsWith("assets/") ? FOR_EVER : "no-cache",
    vary: "Accept-Encoding",
    etag,
    ...(encoding !== undefined && { "content-encoding": encoding }),
  };
  if (matchesTag(request.headers.get("if-none-match"), etag)) return emptyResponse(304, headers);
  if (request.method === "HEAD") return new Response(null, { headers });
  return new Response(Uint8Array.from(bytes), { headers });
}

function nothingThere(): ProctorError {
  return new ProctorError("NOT_FOUND", "there is no such file\nreload the page: the hub may be a newer one");
}
