// The API's description: for programs, for people, and a front page. Each is made once, when first asked for.
import { z } from "zod";
import { indexPage } from "../docs/index-page.ts";
import { iconResponse, pageResponse } from "../docs/page.ts";
import type { OpenApiDocument } from "../openapi.ts";
import { emptyResponse, jsonText } from "../../runtime/http/respond.ts";
import { routesOf, type Route } from "../route.ts";

/** Path of the reference in the dashboard, relative to `/docs`. */
const DOCS_PAGE = "ui/docs";

export function documentationRoutes(
  document: () => OpenApiDocument,
  version: string,
  front?: (request: Request) => Response | Promise<Response>,
): Route[] {
  const json = once(() => JSON.stringify(document()));
  const index = once(() => indexPage(version));
  return routesOf({ tag: "Operations", open: true }, [
    {
      id: "getOpenApi",
      at: "GET /openapi.json",
      summary: "This description, for programs",
      responses: {
        200: { description: "OpenAPI 3.1.", schema: z.looseObject({ openapi: z.literal("3.1.0") }) },
      },
      handle: () => jsonText(json()),
    },
    {
      id: "getDocs",
      at: "GET /docs",
      summary: "This description, for people",
      description:
        "Leads to the page of the dashboard that shows this description: to search, to read, and to try.",
      responses: {
        200: {
          description: "A page that links the doors, where the dashboard was not built.",
          content: ["text/html"],
        },
        302: { description: "The page of the dashboard.", headers: { Location: "Relative to `/docs`." } },
      },
      // Relative, so that it leads there even where a proxy put the hub below a path.
      handle: () => (front ? emptyResponse(302, { location: DOCS_PAGE }) : pageResponse(index())),
    },
    {
      id: "getFrontPage",
      at: "GET /",
      summary: "Front page",
      responses: {
        200: { description: "The dashboard, or a page that links the doors.", content: ["text/html"] },
      },
      handle: ({ request }) => front?.(request) ?? pageResponse(index()),
    },
    {
      id: "getFavicon",
      at: "GET /favicon.ico",
      summary: "Icon of the pages",
      // The type is in the description only: client generators know none for images and would warn about it.
      responses: { 200: "An image, `image/svg+xml`." },
      handle: () => iconResponse(),
    },
  ]);
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
