// Which page of a list a request asks for.
import type { PageRequest } from "../core/page.ts";
import { readQuery } from "../runtime/http/read-query.ts";
import type { Call } from "./call.ts";
import { PageQuery } from "./schemas/common.ts";

export function pageRequest({ request }: Call): PageRequest {
  // An address has no `undefined`, so no optional field holds one.
  return readQuery(request.url, PageQuery) as PageRequest;
}
