// Answers of the official surface. What it calls a validation error is 422 there.
import { ProctorError } from "../../../../core/errors.ts";
import type { NumberedPage } from "../../../../core/ports/hub.ts";
import { refuse } from "../../errors.ts";
import { createListPage } from "../shared/list-page.ts";
import { pagesFor } from "../shared/read-page.ts";

/** Names of the page's parameters: the official ones, and those of AutoGPT's Forge. */
export const PAGE_NAMES = {
  page: ["current_page", "page"],
  size: ["page_size", "pageSize"],
  defaultSize: 10,
};

export function pagination(total: number, { page, size }: NumberedPage): object {
  return { total_items: total, total_pages: pagesFor(total, size), current_page: page, page_size: size };
}

export const listPage = createListPage(pagination);

export function refuseOfficial(thrown: unknown, headers?: Readonly<Record<string, string>>): Response {
  return refuse(thrown, headers, ProctorError.is(thrown) && thrown.status === 400 ? 422 : undefined);
}
