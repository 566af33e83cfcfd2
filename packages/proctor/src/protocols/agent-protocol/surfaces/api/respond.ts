// Answers of the surface. Headers stay plain objects, which Node's adapter writes without building a Headers object.
import type { NumberedPage } from "../../../../core/ports/hub.ts";
import { onPage, pagesFor } from "../shared/read-page.ts";

export function json(body: unknown, status = 200, headers?: Record<string, string>): Response {
  const base = { "content-type": "application/json", "cache-control": "no-store" };
  return new Response(JSON.stringify(body), {
    status,
    headers: headers === undefined ? base : { ...base, ...headers },
  });
}

export function noContent(): Response {
  return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
}

/** Document 003's pagination, beside a list. */
export function pagination(total: number, { page, size }: NumberedPage): object {
  return { total, page, pageSize: size, totalPages: pagesFor(total, size) };
}

/** One page of a list that is at hand as a whole. */
export function listPage<T>(
  name: string,
  all: readonly T[],
  page: NumberedPage,
  show: (item: T) => object,
): Response {
  return json({ [name]: onPage(all, page).map(show), pagination: pagination(all.length, page) });
}
