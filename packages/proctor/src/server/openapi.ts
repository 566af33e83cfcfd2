// The OpenAPI 3.1 document, made from the same routes and schemas that answer requests, and from what surfaces say of theirs.
import { z } from "zod";
import type { ResponseDescription, RouteDescription } from "../protocols/protocol.ts";
import { ErrorDocument } from "./schemas/common.ts";

/** JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export interface SchemaObject {
  [keyword: string]: unknown;
}

export interface ParameterObject {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: SchemaObject;
  explode?: boolean;
}

type Content = Record<string, { schema?: SchemaObject; example?: unknown }>;

export interface ResponseObject {
  description: string;
  headers?: Record<string, { description: string; schema: SchemaObject }>;
  content?: Content;
}

export interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: ParameterObject[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, ResponseObject>;
  security?: Record<string, string[]>[];
}

export interface OpenApiDocument {
  openapi: "3.1.0";
  info: { title: string; version: string; summary: string; description: string };
  tags: { name: string; description: string }[];
  security: Record<string, string[]>[];
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, SchemaObject>; securitySchemes: Record<string, SchemaObject> };
}

export interface OpenApiOptions {
  version: string;
  description: string;
  tags: Readonly<Record<string, string>>;
}

export function openApiDocument(
  routes: readonly RouteDescription[],
  options: OpenApiOptions,
): OpenApiDocument {
  const components: Record<string, SchemaObject> = {};
  const toSchema = schemaWriter(components);
  const paths: OpenApiDocument["paths"] = {};
  for (const route of routes) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = toOperation(route, toSchema);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Proctor",
      version: options.version,
      summary: "One hub for AI agents, whatever protocol they speak.",
      description: options.description,
    },
    tags: Object.entries(options.tags).map(([name, description]) => ({ name, description })),
    // A hub without tokens answers its own machine without one.
    security: [{ bearer: [] }, {}],
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => a.localeCompare(b))),
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
    },
  };
}

type SchemaWriter = (schema: z.ZodType) => SchemaObject;

function toOperation(route: RouteDescription, toSchema: SchemaWriter): OperationObject {
  const parameters = toParameters(route, toSchema);
  const { body } = route;
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: body.required,
        content: {
          "application/json": {
            schema: toSchema(body.schema),
            ...(body.example !== undefined && { example: body.example }),
          },
        },
      },
    }),
    ...(route.form && {
      requestBody: {
        required: true,
        content: {
          "multipart/form-data": { schema: toSchema(route.form.schema), example: route.form.example },
        },
      },
    }),
    ...(route.takesFile && { requestBody: { required: true, content: { "*/*": {} } } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.responses).map(([status, response]) => [
          status,
          toResponse(Number(status) < 400 ? response : asError(response), toSchema),
        ]),
      ),
      default: toResponse(asError({ description: "Any other error." }), toSchema),
    },
    ...(route.open && { security: [] }),
  };
}

function toParameters(
  { path, query, headers = {} }: RouteDescription,
  toSchema: SchemaWriter,
): ParameterObject[] {
  const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]): ParameterObject => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, field]): ParameterObject => {
    // The shape of our own query schemas: every field is a full zod schema.
    const { description, ...schema } = toSchema(field as z.ZodType);
    return {
      name,
      in: "query",
      required: false,
      ...(typeof description === "string" && { description }),
      schema,
      ...(schema["type"] === "array" && { explode: true }),
    };
  });
  // `Accept` is described by the responses' content; OpenAPI ignores a parameter of that name.
  const inHeader = Object.entries(headers)
    .filter(([name]) => name !== "Accept")
    .map(([name, description]): ParameterObject => ({
      name,
      in: "header",
      required: false,
      description,
      schema: { type: "string" },
    }));
  return [...inPath, ...inQuery, ...inHeader];
}

function asError(response: ResponseDescription): ResponseDescription {
  return response.schema || response.content ? response : { ...response, schema: ErrorDocument };
}

function toResponse(
  { description, schema, content, frames, headers }: ResponseDescription,
  toSchema: SchemaWriter,
): ResponseObject {
  const bodies: Content = {
    ...(schema && { "application/json": { schema: toSchema(schema) } }),
    ...(frames && { "text/event-stream": { schema: toSchema(frames) } }),
    ...Object.fromEntries((content ?? []).map((type) => [type, {}])),
  };
  return {
    description,
    ...(headers && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, text]) => [
          name,
          { description: text, schema: { type: "string" } },
        ]),
      ),
    }),
    ...(Object.keys(bodies).length > 0 && { content: bodies }),
  };
}

/** Writes schemas that have an id into `components`, and refers to them from then on. */
function schemaWriter(components: Record<string, SchemaObject>): SchemaWriter {
  return (schema) => {
    const { $schema: _dialect, $defs = {}, ...root } = z.toJSONSchema(schema, { io: "input" });
    for (const [id, definition] of Object.entries($defs)) components[id] ??= tidy(definition);
    return tidy(root);
  };
}

/** Points references at `components`, and leaves out what says nothing: the keys of a JSON object are strings. */
function tidy(schema: object): SchemaObject {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key === "$ref" && typeof value === "string")
      return value.replace("#/$defs/", "#/components/schemas/");
    return key === "propertyNames" ? undefined : value;
  });
  return JSON.parse(text) as SchemaObject;
}

function operationId({ method, path }: RouteDescription): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return [method.toLowerCase(), ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join(
    "",
  );
}
