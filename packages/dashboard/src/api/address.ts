// Addresses of the hub and of pages. The document's base is the hub's own address, even where a proxy put it below a path.

/** Path of the hub: `/`, or `/proctor/` behind a proxy. */
export const BASE = new URL(document.baseURI).pathname;

/** Returns the address of something in the API: `apiUrl("runs", { limit: 50 })`. */
export function apiUrl(path: string, query: Query = {}): URL {
  const url = new URL(path.replace(/^\//, ""), document.baseURI);
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === "") continue;
    url.searchParams.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  return url;
}

let isBehindHash = false;

/** Puts pages behind `#`, because a file has no paths below it. Called once, before the first page is drawn. */
export function putPagesBehindHash(): void {
  isBehindHash = true;
}

/** Returns the path of a page, for links and for the router: `pagePath("runs")`, `pagePath("")` for the front page. */
export function pagePath(page: string, query: Query = {}): string {
  if (isBehindHash) return linkTo(`/${page}${apiUrl(page, query).search}`);
  const url = apiUrl(page === "" ? "" : `ui/${page}`, query);
  return url.pathname + url.search;
}

/** Returns the address of a place among the pages, as a link has it. */
export function linkTo(place: string): string {
  return isBehindHash ? `#${place}` : place;
}

/** Encodes a text as one segment of a path. */
export function segment(text: string): string {
  return encodeURIComponent(text);
}

export type Query = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined | null>
>;
