// The control API of a lab, below `/__control`: what fixtures in other processes tell it and ask it about.
import type { z } from "zod";
import type { Json } from "../../core/json.ts";
import { readQuery } from "../../runtime/http/read-query.ts";
import { emptyResponse, jsonResponse } from "../../runtime/http/respond.ts";
import type { Route } from "../../runtime/http/route.ts";
import type { AwaitedLog } from "../awaited-log.ts";
import {
  answerInTime,
  checked,
  controlRoute,
  listed,
  readBody,
  serveControl,
  waitQuery,
} from "../control-api.ts";

const MAX_BODY_BYTES = 1024 * 1024;

interface LabControlOptions<Entry> {
  /** Plural name of the log's entries: `requests` or `deliveries`. */
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
  const routes = [
    route("GET", `/${what}`, () => listed(log.list())),
    route("GET", `/${what}/wait`, (request) => {
      const query = readQuery(request.url, waitQuery);
      return answerInTime(request, query, (signal) => log.wait(query.count, { what, signal }));
    }),
    route("DELETE", `/${what}`, () => {
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
  return serveControl({ routes, whom: "a lab", page: "docs/reference/labs.md" });
}

/** Reads and validates the body of a command. Throws INVALID_REQUEST. */
export async function readCommand<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  return checked(schema, await readBody(request, MAX_BODY_BYTES));
}

function route(
  method: Route["method"],
  path: string,
  answer: (request: Request) => Promise<Response> | Response,
): Route {
  return controlRoute(method, path, `${method} ${path}`, answer);
}
