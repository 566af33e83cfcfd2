// The control API of a lab, below `/__control`: what fixtures in other processes tell it and ask it about.
import { z } from "zod";
import { ProctorError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { readJson } from "../../runtime/http/read-json.ts";
import { readQuery } from "../../runtime/http/read-query.ts";
import { emptyResponse, errorResponse, jsonResponse } from "../../runtime/http/respond.ts";
import type { Route } from "../../runtime/http/route.ts";
import { serveRoutes } from "../../runtime/http/serve-routes.ts";
import { withinTime } from "../../runtime/time/within-time.ts";
import { checkValue } from "../../runtime/yaml/findings.ts";
import type { AwaitedLog } from "../awaited-log.ts";

const CONTROL_PATH = "/__control";

export function isControl(path: string): boolean {
  return path.startsWith(`${CONTROL_PATH}/`);
}

const MAX_BODY_BYTES = 1024 * 1024;
const DEFAULT_WAIT_MS = 10_000;

const waitQuery = z.strictObject({
  count: z.number().int().min(1),
  timeout_ms: z.number().int().min(0).max(600_000).optional(),
});

interface LabControlOptions<Entry> {
  /** What the log holds: `requests` or `deliveries`. */
  what: string;
  log: AwaitedLog<Entry>;
  /** Further commands of the lab, by method and path. */
  commands: Readonly<Record<`${"POST" | "PUT"} /${string}`, (request: Request) => Promise<Json | undefined>>>;
}

export function createLabControl<Entry>({
  what,
  log,
  commands,
}: LabControlOptions<Entry>): (request: Request) => Promise<Response> {
  const list = (items: Entry[]): Response => jsonResponse({ items, next_cursor: null });
  const routes = [
    route("GET", `/${what}`, async () => list(log.list())),
    route("GET", `/${what}/wait`, async (request) => {
      const { count, timeout_ms: timeoutMs = DEFAULT_WAIT_MS } = readQuery(request.url, waitQuery);
      const waiting = (signal: AbortSignal): Promise<Entry[]> => log.wait(count, { what, signal });
      return list(await withinTime(request.signal, timeoutMs, waiting));
    }),
    route("DELETE", `/${what}`, async () => {
      log.clear();
      return emptyResponse(204);
    }),
    ...Object.entries(commands).map(([name, run]) => {
      const [method, path = "/"] = name.split(" ");
      return route(method === "PUT" ? "PUT" : "POST", path, async (request) => {
        const answer = await run(request);
        return answer === undefined ? emptyResponse(204) : jsonResponse(answer);
      });
    }),
  ];
  const served = serveRoutes({
    routes,
    tags: { control: "What tests tell a lab." },
    hint: "docs/reference/labs.md lists the paths of the control API",
    refuse(thrown, headers) {
      if (ProctorError.is(thrown)) return errorResponse(thrown, headers);
      throw thrown;
    },
  });
  return (request) => served.fetch(request, { traceId: "" });
}

/** The body of a command, by a schema. Throws INVALID_REQUEST. */
export async function readCommand<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const body = await readJson(request, { limitBytes: MAX_BODY_BYTES, anyType: true });
  return checked(schema, body);
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

function route(
  method: Route["method"],
  path: string,
  answer: (request: Request) => Promise<Response>,
): Route {
  return {
    id: `${method} ${path}`,
    method,
    path: `${CONTROL_PATH}${path}`,
    tag: "control",
    summary: `${method} ${path}`,
    responses: { 200: { description: "Done." } },
    handle: ({ request }) => answer(request),
  };
}
