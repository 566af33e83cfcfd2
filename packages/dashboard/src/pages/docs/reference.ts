// The OpenAPI document as the page shows it: operations in groups, and the schemas that they refer to by name.
import { fieldsOf, listOf, textOf, type Fields } from "./read-value.ts";

export type Schema = Fields;
export type Schemas = Readonly<Record<string, Schema>>;

export interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description: string;
  schema: Schema;
}

export interface Media {
  type: string;
  schema: Schema;
  /** Example of the content; undefined where the document has none. */
  example: unknown;
  /** Schema of what each frame of an event stream carries. */
  frame: Schema | undefined;
}

export interface Answer {
  status: string;
  description: string;
  headers: readonly { name: string; description: string }[];
  media: readonly Media[];
}

export interface Operation {
  id: string;
  /** Method of the operation in capitals. */
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  parameters: readonly Parameter[];
  body: { required: boolean; media: Media } | undefined;
  answers: readonly Answer[];
  /** The scope that a token needs; undefined where none is needed. */
  scope: string | undefined;
  /** Whether tokens that are bound to an agent, a folder or a run are refused. */
  unbound: boolean;
  /** What a client sends over a WebSocket, and what it receives. */
  socket: { sends: Schema; hears: Schema } | undefined;
}

export interface Group {
  name: string;
  description: string;
  operations: readonly Operation[];
}

export interface Reference {
  version: string;
  summary: string;
  description: string;
  groups: readonly Group[];
  schemas: Schemas;
}

const METHODS = new Set(["get", "post", "put", "patch", "delete"]);

export function toReference(document: unknown): Reference {
  const { info, tags, paths, components } = fieldsOf(document);
  const { version, summary, description } = fieldsOf(info);
  const operations = Object.entries(fieldsOf(paths)).flatMap(([path, methods]) =>
    Object.entries(fieldsOf(methods))
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => toOperation(path, method, fieldsOf(operation))),
  );
  const groups = listOf(tags).map((tag) => {
    const name = textOf(fieldsOf(tag)["name"]);
    return {
      name,
      description: textOf(fieldsOf(tag)["description"]),
      operations: operations.filter((operation) => operation.tag === name),
    };
  });
  const schemas = Object.entries(fieldsOf(fieldsOf(components)["schemas"]));
  return {
    version: textOf(version),
    summary: textOf(summary),
    description: textOf(description),
    groups: groups.filter((group) => group.operations.length > 0),
    schemas: Object.fromEntries(schemas.map(([name, schema]) => [name, fieldsOf(schema)])),
  };
}

function toOperation(path: string, method: string, operation: Fields): Operation {
  const { operationId, tags, summary, description, parameters, requestBody, responses, security } = operation;
  const { required, content } = fieldsOf(requestBody);
  const media = mediaOf(content)[0];
  const socket = operation["x-websocket"];
  return {
    id: textOf(operationId),
    method: method.toUpperCase(),
    path,
    tag: textOf(listOf(tags)[0]),
    summary: textOf(summary),
    description: textOf(description),
    parameters: listOf(parameters).map((one) => toParameter(fieldsOf(one))),
    body: media && { required: required === true, media },
    answers: Object.entries(fieldsOf(responses)).map(([status, one]) => toAnswer(status, fieldsOf(one))),
    scope: Array.isArray(security) && security.length === 0 ? undefined : textOf(operation["x-scope"]),
    unbound: operation["x-unbound"] === true,
    socket:
      socket === undefined
        ? undefined
        : { sends: fieldsOf(fieldsOf(socket)["sends"]), hears: fieldsOf(fieldsOf(socket)["hears"]) },
  };
}

function toParameter({ name, in: place, required, description, schema }: Fields): Parameter {
  return {
    name: textOf(name),
    in: textOf(place),
    required: required === true,
    description: textOf(description),
    schema: fieldsOf(schema),
  };
}

function toAnswer(status: string, { description, headers, content }: Fields): Answer {
  return {
    status,
    description: textOf(description),
    headers: Object.entries(fieldsOf(headers)).map(([name, header]) => ({
      name,
      description: textOf(fieldsOf(header)["description"]),
    })),
    media: mediaOf(content),
  };
}

function mediaOf(content: unknown): Media[] {
  return Object.entries(fieldsOf(content)).map(([type, media]) => {
    const { schema, example, "x-itemSchema": frame } = fieldsOf(media);
    return {
      type,
      schema: fieldsOf(schema),
      example,
      frame: frame === undefined ? undefined : fieldsOf(frame),
    };
  });
}
