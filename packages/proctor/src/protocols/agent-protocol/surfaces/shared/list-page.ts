// One page of a list as an answer. The doors differ only in how they write down where the page stands in the list.
import type { NumberedPage } from "../../../../core/ports/hub.ts";
import { jsonResponse } from "../../../../runtime/http/respond.ts";
import { onPage } from "./read-page.ts";

type ListPage = <T>(
  name: string,
  all: readonly T[],
  page: NumberedPage,
  show: (item: T) => object,
) => Response;

/** Returns a function that answers with one page of a list that is in memory as a whole. */
export function createListPage(pagination: (total: number, page: NumberedPage) => object): ListPage {
  return (name, all, page, show) =>
    jsonResponse({ [name]: onPage(all, page).map(show), pagination: pagination(all.length, page) });
}
