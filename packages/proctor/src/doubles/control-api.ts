// What the control APIs of doubles share, below `/__control`: how tests and fixtures in other processes talk to a double.
import { z } from "zod";
import { ProctorError } from "../core/errors.ts";
import type { Json } from "../core/json.ts";
import { readJson } from "../runtime/http/read-json.ts";
import { errorResponse, jsonResponse } from "../runtime/http/respond.ts";
import type { Route } from "../runtime/http/route.ts";
import { serveRoutes } from "../runtime/http/serve-routes.ts";
import { withinTime } from "../runtime/time/within-time.ts";
import { checkValue } from "../runtime/yaml/findings.ts";

export const CONTROL_PATH = "/__control";
const MAX_WAIT_MS = 600_000;
const DEFAULT_WAIT_MS = 10_000;

export function isControl(path: string): boolean {
  return path.startsWith(`${CONTROL_PATH}/`);
}

type Answer = (request: Request, params: Readonly<Record<string, string>>) => Promise<Response> | Response;

export function controlRoute(method: Route["method"], path: string, summary: string, answer: Answer): Route {
  return {
    id: `${method} ${path}`,
    method,
    path: `${CONTROL_PATH}${path}`,
    tag: "control",
    summary,
    responses: { 200: { description: "Done." } },
    handle: ({ request, params }) => answer(request, params),
  };
}

interface ControlOptions {
  routes: readonly Route[];
  /** Name of the controlled double in messages: `a lab`. */
  whom: string;
  /** The documentation page that lists the paths. */
  page: string;
  /** Converts an error into a ProctorError; undefined for one that is a bug. */
  errorOf?: (thrown: unknown) => ProctorError | undefined;
}

export function serveControl(options: ControlOptions): (request: Request) => Promise<Response> {
  const { routes, whom, page, errorOf = () => undefined } = options;
  const served = serveRoutes({
    routes,
    tags: { control: `What tests tell ${whom}.` },
    hint: `${page} lists the paths of the control API`,
    refuse(thrown, headers) {
      const error = ProctorError.is(thrown) ? thrown : errorOf(thrown);
      if (error === undefined) throw thrown;
      return errorResponse(error, headers);
    },
  });
  return async (request) => served.fetch(request, { traceId: "" });
}

export function listed(items: readonly unknown[]): Response {
  return jsonResponse({ items, next_cursor: null });
}

export const waitQuery = z.strictObject({
  count: z.number().int().min(1),
  timeout_ms: z.number().int().min(0).max(MAX_WAIT_MS).optional(),
});

/** Answers with what `wait` resolves with, within the time that the query allows. */
export async function answerInTime(
  { signal }: Request,
  { timeout_ms: timeoutMs = DEFAULT_WAIT_MS }: z.infer<typeof waitQuery>,
  wait: (limit: AbortSignal) => Promise<readonly unknown[]>,
): Promise<Response> {
  return listed(await withinTime(signal, timeoutMs, wait));
}

/** Reads a body. Tests in any language may leave the media type out, because web pages cannot reach this API. */
export function readBody(request: Request, limitBytes: number): Promise<Json> {
  return readJson(request, { limitBytes, anyType: true });
}

/** Throws INVALID_REQUEST with every problem and its path. */
export function checked<T>(schema: z.ZodType<T>, value: unknown, name = "the body"): T {
  const read = checkValue(schema, value, name);
  if (read.ok) return read.value;
  const problems = read.findings.map(({ path, message, hint }) =>
    [path.map(String).join("."), message, hint ?? ""].filter((part) => part !== "").join("  "),
  );
  throw new ProctorError("INVALID_REQUEST", problems.join("\n"));
}
