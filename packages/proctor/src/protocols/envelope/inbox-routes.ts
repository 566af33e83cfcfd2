// Inboxes and dead letters, for whoever runs the hub.
import { z } from "zod";
import { ProctorError } from "../../core/errors.ts";
import type { PageRequest } from "../../core/page.ts";
import { readQuery } from "../../runtime/http/read-query.ts";
import { emptyResponse, jsonResponse } from "../../runtime/http/respond.ts";
import type { Route, RouteCall } from "../../runtime/http/route.ts";
import type { EnvelopeDoorOptions } from "./http-routes.ts";
import { TAG } from "./tag.ts";
import { DeadList, DeadQuery, InboxesQuery, InboxList } from "./wire.ts";

const PARAMS = { position: z.int().min(1) };
const NOT_FOUND = { description: "There is no such dead letter." };

export function inboxRoutes({ messages }: Pick<EnvelopeDoorOptions, "messages">): Route[] {
  return [
    {
      id: "listInboxes",
      method: "GET",
      path: "/messages/inboxes",
      tag: TAG,
      summary: "List inboxes that are not empty",
      scope: "admin",
      query: InboxesQuery,
      responses: { 200: { description: "A page of inboxes, by name.", schema: InboxList } },
      handle: async ({ request }) =>
        jsonResponse(await messages.inboxes(readQuery(request.url, InboxesQuery) as PageRequest)),
    },
    {
      id: "listDeadLetters",
      method: "GET",
      path: "/messages/dead",
      tag: TAG,
      summary: "List envelopes that did not arrive",
      scope: "admin",
      query: DeadQuery,
      responses: { 200: { description: "A page of dead letters, newest first.", schema: DeadList } },
      async handle({ request }) {
        const query = readQuery(request.url, DeadQuery) as PageRequest & { receiver?: string };
        return jsonResponse(await messages.deadLetters(query));
      },
    },
    {
      id: "redeliverDeadLetter",
      method: "POST",
      path: "/messages/dead/{position}/redeliver",
      tag: TAG,
      summary: "Put a dead letter into its inbox again",
      description: "At the end of the inbox, with a day to live.",
      scope: "admin",
      params: PARAMS,
      responses: {
        204: { description: "It waits again." },
        404: NOT_FOUND,
        429: { description: "The inbox is full." },
      },
      async handle(call) {
        await messages.redeliver(positionOf(call), call.caller);
        return emptyResponse(204);
      },
    },
    {
      id: "discardDeadLetter",
      method: "DELETE",
      path: "/messages/dead/{position}",
      tag: TAG,
      summary: "Remove a dead letter",
      scope: "admin",
      params: PARAMS,
      responses: { 204: { description: "It is gone." }, 404: NOT_FOUND },
      async handle(call) {
        await messages.discard(positionOf(call), call.caller);
        return emptyResponse(204);
      },
    },
  ];
}

function positionOf({ params }: RouteCall): number {
  const text = params["position"] ?? "";
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new ProctorError("INVALID_REQUEST", "the path does not name a position");
}
