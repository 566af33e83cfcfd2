import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createHarness } from "../../test/support/server/app-harness.ts";
import { schemaWriter } from "./openapi-schema.ts";
import type { RouteDescription } from "../runtime/http/route.ts";
import { openApiDocument, type OpenApiDocument, type OperationObject } from "./openapi.ts";

async function fetchDocument(): Promise<OpenApiDocument> {
  const { status, body } = await createHarness().send("GET", "/openapi.json");
  expect(status).toBe(200);
  return body;
}

function operationsOf(document: OpenApiDocument): (OperationObject & { path: string; method: string })[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
  );
}

/** Every value under `key`, anywhere. */
function valuesOf(value: unknown, key: string): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === key ? [inner] : []),
    ...valuesOf(inner, key),
  ]);
}

describe("the OpenAPI document", () => {
  it("is version 3.1 and describes every route", async () => {
    const document = await fetchDocument();
    expect(document.openapi).toBe("3.1.0");
    expect(document.info).toMatchObject({
      title: "Proctor",
      version: "1.2.3",
      license: { identifier: "Apache-2.0" },
    });
    expect(document.servers).toMatchObject([{ url: "/" }]);
    expect(operationsOf(document).map(({ method, path }) => `${method} ${path}`)).toEqual([
      "get /runs/summary",
      "post /runs",
      "get /runs",
      "get /runs/{id}",
      "delete /runs/{id}",
      "get /runs/{id}/suite",
      "get /runs/{id}/events",
      "get /events",
      "post /runs/{id}/start",
      "post /runs/{id}/cancel",
      "post /runs/{id}/pause",
      "post /runs/{id}/resume",
      "post /runs/{id}/messages",
      "get /runs/{id}/messages",
      "post /runs/{id}/answers",
      "get /runs/{id}/tally",
      "get /questions",
      "get /conversations/{id}",
      "get /runs/{id}/fork",
      "post /runs/{id}/fork",
      "post /runs/client",
      "post /runs/{id}/tell",
      "get /runs/{id}/steps",
      "get /runs/{id}/artifacts",
      "post /runs/{id}/artifacts",
      "get /runs/{id}/artifacts/{artifact_id}",
      "delete /runs/{id}/artifacts/{artifact_id}",
      "get /runs/{id}/artifacts/{artifact_id}/content",
      "get /runs/{id}/workspace",
      "post /runs/{id}/verify",
      "post /runs/{id}/release",
      "get /artifacts/{app}/{user}/{session}",
      "get /artifacts/{app}/{user}/{session}/{name}",
      "put /artifacts/{app}/{user}/{session}/{name}",
      "delete /artifacts/{app}/{user}/{session}/{name}",
      "get /artifacts/{app}/{user}/{session}/{name}/versions",
      "get /agents",
      "post /agents",
      "get /agents/{name}",
      "put /agents/{name}",
      "delete /agents/{name}",
      "get /script-tools",
      "post /script-tools",
      "get /script-tools/{name}",
      "put /script-tools/{name}",
      "delete /script-tools/{name}",
      "post /script-tools/{name}/call",
      "post /mcp",
      "get /healthz",
      "get /readyz",
      "get /health/live",
      "get /health/ready",
      "get /metrics",
      "get /openapi.json",
      "get /docs",
      "get /",
      "get /favicon.ico",
    ]);
  });

  it("refers only to schemas it has, and has none it does not refer to", async () => {
    const document = await fetchDocument();
    const used = new Set(valuesOf(document, "$ref"));
    const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect([...used].filter((ref) => !known.includes(String(ref)))).toEqual([]);
    expect(known.filter((ref) => !used.has(ref))).toEqual([]);
    expect(valuesOf(document, "$defs")).toEqual([]);
  });

  it("has unique operation ids, declared path parameters, known tags and a response for everything", async () => {
    const document = await fetchDocument();
    const operations = operationsOf(document);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    const tags = document.tags.map(({ name }) => name);
    for (const operation of operations) {
      const inPath = Array.from(operation.path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
      const declared = operation.parameters?.filter((one) => one.in === "path").map(({ name }) => name);
      expect(declared ?? []).toEqual(inPath);
      expect(tags).toEqual(expect.arrayContaining(operation.tags));
      expect(Object.keys(operation.responses).some((status) => status.startsWith("2"))).toBe(true);
      expect(operation.responses["default"]).toBeDefined();
      for (const response of Object.values(operation.responses)) expect(response.description).not.toBe("");
    }
  });

  it("says the limits that requests are held to", async () => {
    const { schemas } = (await fetchDocument()).components;
    expect(schemas["RunRequest"]).toMatchObject({ required: ["agent", "task"], additionalProperties: false });
    expect(schemas["Constraints"]).toMatchObject({
      properties: { timeout_seconds: { type: "integer", minimum: 1, maximum: 86_400 } },
    });
    expect(schemas["Task"]).toMatchObject({
      properties: { description: { minLength: 1, maxLength: 10_000 } },
      additionalProperties: {},
    });
  });

  it("says the limits of parameters exactly", async () => {
    const { app, hub, send } = createHarness();
    const { id } = await hub.begin();
    const parametersOf = (method: string, path: string) =>
      app.openapi().paths[path]?.[method]?.parameters ?? [];
    const limit = (path: string, name: string, keyword: string) =>
      Number(parametersOf("get", path).find((one) => one.name === name)?.schema[keyword]);
    for (const [path, name] of [
      ["/runs", "page"],
      ["/runs", "limit"],
      ["/runs/{id}/events", "after"],
    ] as const) {
      const asked = (value: number) => send("GET", `${path.replace("{id}", id)}?${name}=${value}`);
      const [minimum, maximum] = [limit(path, name, "minimum"), limit(path, name, "maximum")];
      const statuses = [minimum - 1, minimum, maximum, maximum + 1].map(
        async (value) => (await asked(value)).status,
      );
      expect([name, await Promise.all(statuses)]).toEqual([name, [400, 200, 200, 400]]);
    }
    const key = parametersOf("post", "/runs").find(({ name }) => name === "Idempotency-Key");
    expect(key?.schema).toMatchObject({ minLength: 1, maxLength: 255 });
    const fileName = parametersOf("post", "/runs/{id}/artifacts").find(({ name }) => name === "file_name");
    expect(fileName).toMatchObject({ required: true, schema: { minLength: 1, maxLength: 255 } });
    // Where a body may be left out, nothing stands for it.
    expect((await send("POST", `/runs/${id}/cancel`, { json: null })).status).toBe(400);
  });

  it("has examples of the commonest answers that are as their schemas say", async () => {
    const { components } = await fetchDocument();
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema({ $id: "openapi", components });
    const named = Object.entries(components.schemas).filter(([, schema]) => "examples" in schema);
    expect(named.map(([name]) => name)).toEqual(expect.arrayContaining(["Agent", "Event", "Run"]));
    for (const [name, { examples }] of named) {
      const validate = ajv.compile({ $ref: `openapi#/components/schemas/${name}` });
      for (const example of examples as unknown[]) validate(example);
      expect([name, validate.errors]).toEqual([name, null]);
    }
  });

  it("refuses two routes of one method and path, because one would hide the other", () => {
    const route = {
      id: "makeThing",
      method: "POST",
      path: "/things/{id}",
      tag: "Things",
      summary: "Make a thing",
      responses: { 200: { description: "Made." } },
    } satisfies RouteDescription;
    const options = { version: "1.0.0", description: "", tags: { Things: "What there is." } };
    expect(() => openApiDocument([route, { ...route, id: "other" }], options)).toThrow(
      "two routes describe POST /things/{id}",
    );
  });

  it("refuses to give two schemas one name", () => {
    const write = schemaWriter({});
    const named = (schema: z.ZodType) => z.object({ field: schema.meta({ id: "Same" }) });
    write(named(z.string()));
    expect(() => write(named(z.string()))).not.toThrow();
    expect(() => write(named(z.number()))).toThrow("two schemas have the name Same");
    expect(() => write(z.object({ field: z.json() }))).toThrow("needs a name");
  });

  it("gives examples that the API accepts", async () => {
    const harness = createHarness();
    for (const { requestBody, path, method } of operationsOf(harness.app.openapi())) {
      const example = requestBody?.content["application/json"]?.example;
      if (example === undefined || path.includes("{id}")) continue;
      const { status } = await harness.send(method.toUpperCase(), path.replace("{name}", "x"), {
        json: example,
      });
      expect([path, status < 300]).toEqual([path, true]);
    }
  });
});

describe("the pages without a dashboard", () => {
  it("can load nothing and run nothing", async () => {
    const { send } = createHarness();
    for (const path of ["/", "/docs"]) {
      const { headers, text } = await send("GET", path);
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'; style-src 'sha256-");
      expect(policy).not.toContain("unsafe");
      expect(text).not.toMatch(/<script|onclick=|<img|<link rel="(?!icon)/i);
    }
  });

  it("show text as text", async () => {
    const { send } = createHarness({ version: "<img src=x>&" });
    expect((await send("GET", "/docs")).text).toContain("&lt;img src=x&gt;&amp;");
    expect((await send("GET", "/")).text).not.toContain("<img");
  });

  it("give way to the dashboard: the reference is one of its pages, wherever a proxy put the hub", async () => {
    const { send } = createHarness({ front: () => new Response("dashboard") });
    const { status, headers } = await send("GET", "/docs");
    expect([status, headers.get("location")]).toEqual([302, "ui/docs"]);
  });
});
