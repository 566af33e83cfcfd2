// Holds real answers to an OpenAPI document: the status must be described, the media type too, and the body must match its schema.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { OpenApiDocument, OperationObject, ResponseObject } from "../../src/server/openapi.ts";

export interface AnswerCheck {
  /** What is wrong with an answer; nothing when it is as described. */
  problems(method: string, url: string, answer: CheckedAnswer): string[];
  /** `GET /api/tasks 200` for each kind of answer that was held to the document. */
  seen: ReadonlySet<string>;
  /** `GET /api/tasks 200` for each answer below 400 that the document describes, of paths below a prefix. */
  described(prefix: string): string[];
}

export interface CheckedAnswer {
  status: number;
  headers: Headers;
  text: string;
}

interface Known {
  method: string;
  path: string;
  pattern: RegExp;
  operation: OperationObject;
}

type ValidatorOf = (schema: object) => ValidateFunction;

/** By the components: most servers of tests have the same, and compiling takes longer than most tests. */
const known = new Map<string, ValidatorOf>();

function validatorsFor({ components }: OpenApiDocument): ValidatorOf {
  const key = JSON.stringify(components);
  const validatorOf = known.get(key) ?? createValidators(components);
  known.set(key, validatorOf);
  return validatorOf;
}

function createValidators(components: OpenApiDocument["components"]): ValidatorOf {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "openapi", components });
  const compiled = new Map<string, ValidateFunction>();
  return (schema) => {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object);
    compiled.set(text, validate);
    return validate;
  };
}

export function createAnswerCheck(document: OpenApiDocument): AnswerCheck {
  const validatorOf = validatorsFor(document);
  const seen = new Set<string>();
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Known => ({
      method: method.toUpperCase(),
      path,
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
      operation,
    })),
  );

  function bodyProblems({ content = {} }: ResponseObject, { headers, text }: CheckedAnswer): string[] {
    const types = Object.keys(content);
    const type = headers.get("content-type")?.split(";")[0] ?? "";
    if (types.length === 0)
      return text === "" ? [] : [`has a body of ${text.length} characters, and none is described`];
    const media = content[type] ?? content["*/*"];
    if (media === undefined) return [`is ${type || "of no type"}; described is ${types.join(", ")}`];
    const frame = media["x-itemSchema"];
    if (type !== "application/json" && frame === undefined) return [];
    const validate = validatorOf(frame ?? media.schema);
    const values = frame === undefined ? [JSON.parse(text) as unknown] : framesOf(text);
    return values.flatMap((value) =>
      validate(value)
        ? []
        : (validate.errors ?? []).map(
            ({ instancePath, message, params }) =>
              `${instancePath || "the body"} ${message ?? "is wrong"} ${JSON.stringify(params)}`,
          ),
    );
  }

  return {
    seen,
    described: (prefix) =>
      operations
        .filter(({ path }) => path.startsWith(prefix))
        .flatMap(({ method, path, operation }) =>
          Object.keys(operation.responses)
            .filter((status) => Number(status) < 400)
            .map((status) => `${method} ${path} ${status}`),
        ),
    problems(method, url, answer) {
      const { pathname } = new URL(url, "http://hub");
      const wanted = method === "HEAD" ? "GET" : method;
      const found = operations.find((one) => one.method === wanted && one.pattern.test(pathname));
      // What is not described is no operation: it can only be refused.
      if (found === undefined) return answer.status >= 400 ? [] : [`${method} ${pathname} is not described`];
      const { path, operation } = found;
      const response = operation.responses[String(answer.status)] ?? operation.responses["default"];
      if (response === undefined) return [`${method} ${path} ${answer.status} is not described`];
      if (answer.status < 400 && operation.responses[String(answer.status)] === undefined)
        return [`${method} ${path} answers ${answer.status}, which is not described`];
      seen.add(`${wanted} ${path} ${answer.status}`);
      if (method === "HEAD") return [];
      return bodyProblems(response, answer).map(
        (problem) => `${method} ${path} ${answer.status}: ${problem}`,
      );
    },
  };
}

function framesOf(text: string): unknown[] {
  return Array.from(text.matchAll(/^data: (.*)$/gm), ([, data = ""]) => JSON.parse(data) as unknown);
}
