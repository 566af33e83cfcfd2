import { expect, it } from "vitest";
import { z } from "zod";
import type { RouteDescription } from "../../runtime/http/route.ts";
import { openApiDocument } from "../openapi.ts";
import { docsPage } from "./docs-page.ts";

const ROUTE: RouteDescription = {
  id: "makeThing",
  method: "POST",
  path: "/things/{id}",
  tag: "Things",
  summary: "Make a thing",
  responses: { 200: { description: "Made." } },
};

const documentOf = (...routes: RouteDescription[]) =>
  openApiDocument(routes, { version: "1.0.0", description: "", tags: { Things: "What there is." } });

it("a field of the reference that is one of several shapes names each, and a constant is shown", () => {
  const shape = (name: string) => z.strictObject({ type: z.literal(name.toLowerCase()) }).meta({ id: name });
  const either = z.discriminatedUnion("type", [shape("Added"), shape("Changed")]).meta({ id: "Either" });
  const schema = z.strictObject({ event: either }).meta({ id: "Body" });
  const html = docsPage(documentOf({ ...ROUTE, body: { schema, required: true } }));
  const list = /id="schema-Either">.*?<\/div>/s.exec(html)?.[0];
  expect(list).toContain('<a href="#schema-Added">Added</a> or <a href="#schema-Changed">Changed</a>');
  expect(/id="schema-Added">.*?<\/div>/s.exec(html)?.[0]).toContain("<code>&quot;added&quot;</code>");
});

it("an example of the reference with an apostrophe can be pasted into a shell", () => {
  const body = { schema: z.strictObject({ text: z.string() }), required: true, example: { text: "it's" } };
  const html = docsPage(documentOf({ ...ROUTE, body }));
  expect(html).toContain("it&#39;\\&#39;&#39;s");
});

it("two routes of one method and path are refused, because one would hide the other in the document", () => {
  expect(() => documentOf(ROUTE, { ...ROUTE, id: "other" })).toThrow("two routes describe POST /things/{id}");
});
