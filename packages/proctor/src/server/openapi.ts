// The OpenAPI 3.1 document, made from the same routes and schemas that answer requests, and from what surfaces say about theirs.
import type { RouteDescription } from "../runtime/http/route.ts";
import { toOperation } from "./openapi-operation.ts";
import { schemaWriter } from "./openapi-schema.ts";

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

export type Content = Record<string, MediaObject>;

export interface MediaObject {
  schema: SchemaObject;
  example?: unknown;
  /** Schema of the data in each frame of an event stream. */
  "x-itemSchema"?: SchemaObject;
}

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
  /** Scope that a token needs; absent where no token is needed. */
  "x-scope"?: string;
  /** Says that tokens bound to an agent, a folder or a run are refused. */
  "x-unbound"?: true;
  /** Messages of a WebSocket: those that a client sends, and those it receives. */
  "x-websocket"?: { sends: SchemaObject; hears: SchemaObject };
}

export interface OpenApiDocument {
  openapi: "3.1.0";
  info: {
    title: string;
    version: string;
    summary: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  security: Record<string, string[]>[];
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, SchemaObject>; securitySchemes: Record<string, SchemaObject> };
}

interface OpenApiOptions {
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
    const { path, method } = route;
    const operations = (paths[path] ??= {});
    if (operations[method.toLowerCase()]) throw new Error(`two routes describe ${method} ${path}`);
    operations[method.toLowerCase()] = toOperation(route, toSchema);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Proctor",
      version: options.version,
      summary: "One hub for AI agents, whatever protocol they speak.",
      description: options.description,
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "The hub that gave this document." }],
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
