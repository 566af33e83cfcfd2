// Doubles: programs that stand in for something announce themselves here, and report what they were asked.
import type { Doubles } from "../../core/ports/doubles.ts";
import { readQuery } from "../../runtime/http/read-query.ts";
import { jsonResponse } from "../../runtime/http/respond.ts";
import { pathParam } from "../call.ts";
import { readBody } from "../read-body.ts";
import { created, routesOf, type Route } from "../route.ts";
import {
  AnnouncedDocument,
  DoubleDocument,
  DoubleList,
  DoubleRequestList,
  DoubleRequestQueryParams,
  NewDoubleBody,
  RecordBody,
} from "../schemas/double.ts";
import { BODY_REFUSALS } from "./refusals.ts";

const SHARED = { scope: "runs:write", unbound: true, tag: "Doubles" } as const;
const NOT_FOUND = "There is no such double, or it has been gone for an hour.";
const MALFORMED = "The body is malformed.";
const ASKED = {
  at: "2026-11-15T22:23:49.113Z",
  asked: "web_search",
  request: { query: "bees" },
  answered: { status: "success", output: [] },
  matched: "mock",
  unmatched: false,
};

export function doubleRoutes(doubles: Doubles, bodyLimitBytes: number): Route[] {
  return routesOf(SHARED, [
    {
      id: "listDoubles",
      at: "GET /doubles",
      scope: "runs:read",
      summary: "List doubles",
      description: "All that were heard of within an hour, the newest first.",
      responses: { 200: { description: "The doubles.", schema: DoubleList } },
      handle: async () => jsonResponse(await doubles.list()),
    },
    {
      id: "announceDouble",
      at: "POST /doubles",
      summary: "Announce a double",
      description:
        "A program that stands in for something says that it is there. It then sends what it was asked, and an empty list where nothing was, as often as `beat_ms` says; without that it is shown as gone, and forgotten an hour later.",
      body: {
        schema: NewDoubleBody,
        required: true,
        example: {
          kind: "tools",
          name: "tools.yaml",
          address: "http://127.0.0.1:8080/tools",
          host: "laptop",
          pid: 4711,
        },
      },
      responses: {
        201: created("Its id, and how often it is to be heard.", AnnouncedDocument, "double"),
        400: MALFORMED,
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const body = await readBody(call.request, NewDoubleBody, bodyLimitBytes);
        const announced = await doubles.announce(body);
        return jsonResponse(announced, 201, { location: `/doubles/${announced.id}` });
      },
    },
    {
      id: "getDouble",
      at: "GET /doubles/{id}",
      scope: "runs:read",
      summary: "Read a double",
      responses: { 200: { description: "The double.", schema: DoubleDocument }, 404: NOT_FOUND },
      handle: async (call) => jsonResponse(await doubles.get(pathParam(call, "id"))),
    },
    {
      id: "listDoubleRequests",
      at: "GET /doubles/{id}/requests",
      scope: "runs:read",
      summary: "List what a double was asked",
      description: "The newest first.",
      query: DoubleRequestQueryParams,
      responses: {
        200: { description: "A page of requests.", schema: DoubleRequestList },
        400: "The cursor or a filter is wrong.",
        404: NOT_FOUND,
      },
      async handle(call) {
        const { unmatched, ...query } = readQuery(call.request.url, DoubleRequestQueryParams);
        const asked = { ...query, unmatched: unmatched === "true" };
        return jsonResponse(await doubles.requests(pathParam(call, "id"), asked));
      },
    },
    {
      id: "recordDoubleRequests",
      at: "POST /doubles/{id}/requests",
      summary: "Tell what a double was asked",
      description: "In the order in which it was asked. An empty list says that the double is there.",
      body: { schema: RecordBody, required: true, example: { requests: [ASKED] } },
      responses: {
        200: { description: "The double.", schema: DoubleDocument },
        400: MALFORMED,
        404: NOT_FOUND,
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const { requests } = await readBody(call.request, RecordBody, bodyLimitBytes);
        return jsonResponse(await doubles.record(pathParam(call, "id"), requests));
      },
    },
    {
      id: "endDouble",
      at: "POST /doubles/{id}/end",
      summary: "Say that a double ends",
      description: "What it was asked is kept for an hour.",
      responses: { 200: { description: "The double.", schema: DoubleDocument }, 404: NOT_FOUND },
      handle: async (call) => jsonResponse(await doubles.end(pathParam(call, "id"))),
    },
  ]);
}
