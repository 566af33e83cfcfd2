// One route as an operation of the OpenAPI document: its parameters, its body, and everything that it may answer.
import type { z } from "zod";
import { MAX_KEY_CHARS } from "../runtime/http/idempotency-key.ts";
import type { ResponseDescription, RouteDescription } from "../runtime/http/route.ts";
import type { Content, OperationObject, ParameterObject, ResponseObject, SchemaObject } from "./openapi.ts";
import type { SchemaWriter } from "./openapi-schema.ts";
import { ErrorDocument } from "./schemas/common.ts";

/** The schemas of headers that do not take every text. */
const HEADER_SCHEMAS: Readonly<Record<string, SchemaObject>> = {
  "Idempotency-Key": { minLength: 1, maxLength: MAX_KEY_CHARS, pattern: "^\\S(.*\\S)?$" },
  "Last-Event-ID": { pattern: "^[0-9]{1,15}$" },
  "ATP-On-Disconnect": { pattern: "^(cancel|keep)$" },
};

const JSON_TYPE = "application/json";

/** OpenAPI 3.1 has no other way to describe bytes that client generators understand. */
const BYTES: SchemaObject = { type: "string", format: "binary" };

export function toOperation(route: RouteDescription, toSchema: SchemaWriter): OperationObject {
  const parameters = toParameters(route, toSchema);
  const requestBody = toRequestBody(route, toSchema);
  const responses: [string, ResponseObject][] = Object.entries(allResponses(route)).map(
    ([status, response]) => [
      status,
      toResponse(Number(status) < 400 ? response : asError(response), toSchema),
    ],
  );
  const { id, tag, summary, description, open, scope = "admin", unbound, socket } = route;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: {
      ...Object.fromEntries(responses),
      default: toResponse(asError({ description: "Any other error." }), toSchema),
    },
    ...(open ? { security: [] } : { "x-scope": scope }),
    ...(unbound && { "x-unbound": true }),
    ...(socket && {
      "x-websocket": { sends: toSchema(socket.sends), hears: toSchema(socket.hears) },
    }),
  };
}

/** Adds what the hub refuses before it asks a route; a route that describes the same status wins. */
function allResponses({ responses, open }: RouteDescription): RouteDescription["responses"] {
  return {
    ...(!open && { 401: { description: "The hub needs a token, and this is none of its own." } }),
    403: {
      description: "The token may not, or it was asked from a web page, or under a name, that may not.",
    },
    ...responses,
  };
}

function toRequestBody(
  { body, form, takesFile }: RouteDescription,
  toSchema: SchemaWriter,
): OperationObject["requestBody"] {
  if (body) {
    const { schema, required, example } = body;
    const media = { schema: toSchema(schema), ...(example !== undefined && { example }) };
    return { required, content: { "application/json": media } };
  }
  if (form) {
    const media = { schema: toSchema(form.schema), example: form.example };
    return { required: true, content: { "multipart/form-data": media } };
  }
  return takesFile && { required: true, content: { "application/octet-stream": { schema: BYTES } } };
}

function toParameters(
  { path, params = {}, query, headers = {} }: RouteDescription,
  toSchema: SchemaWriter,
): ParameterObject[] {
  const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]): ParameterObject => ({
    name,
    in: "path",
    required: true,
    schema: params[name] ? toSchema(params[name]) : { type: "string", minLength: 1 },
  }));
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, field]): ParameterObject => {
    // The shape of our own query schemas: every field is a full zod schema.
    const { description, ...schema } = toSchema(field as z.ZodType);
    return {
      name,
      in: "query",
      required: !(field as z.ZodType).safeParse(undefined).success,
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
      schema: { type: "string", ...HEADER_SCHEMAS[name] },
    }));
  return [...inPath, ...inQuery, ...inHeader];
}

function asError(response: ResponseDescription): ResponseDescription {
  return response.schema || response.content ? response : { ...response, schema: ErrorDocument };
}

function toResponse(
  { description, schema, types = [JSON_TYPE], content, frames, headers, example }: ResponseDescription,
  toSchema: SchemaWriter,
): ResponseObject {
  const bodies: Content = {
    ...(schema &&
      Object.fromEntries(
        types.map((type) => [type, { schema: toSchema(schema), ...(example !== undefined && { example }) }]),
      )),
    // OpenAPI 3.1 cannot say what the frames of a stream hold. 3.2 says it as `itemSchema`.
    ...(frames && {
      "text/event-stream": { schema: { type: "string" }, "x-itemSchema": toSchema(frames) },
    }),
    ...Object.fromEntries((content ?? []).map((type) => [type, { schema: bodySchema(type) }])),
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

function bodySchema(type: string): SchemaObject {
  return type.startsWith("text/") ? { type: "string" } : BYTES;
}
