// Goals of a hub elsewhere, over HTTP. The hub knows its caller by the token.
import type { Goal, GoalDiff, PlanPreview, RouteDecision, Subtask } from "../core/goal.ts";
import type { Page } from "../core/page.ts";
import type { Plan } from "../core/plan.ts";
import type { Goals } from "../core/ports/goals.ts";
import type { SubmitOptions } from "../core/ports/hub.ts";
import type { HttpClient } from "./http-client.ts";
import { path } from "./http-path.ts";
import { query } from "./http-query.ts";
import { submitHeaders } from "./submit-headers.ts";

export function createHttpGoals(client: HttpClient): Goals {
  async function create(
    to: string,
    body: object,
    options: SubmitOptions = {},
  ): Promise<{ goal: Goal; created: boolean }> {
    const response = await client.send(to, { method: "POST", body, headers: submitHeaders(options) });
    // The hub checks its documents against their schemas.
    const goal = (await response.json()) as Goal;
    return { goal, created: response.headers.get("idempotency-replayed") !== "true" };
  }

  return {
    submit: (request, options) => create("/goals", request, options),
    get: (id) => client.sendJson<Goal>(path`/goals/${id}`),
    list: ({ cursor, limit, status }) =>
      client.sendJson<Page<Goal>>(`/goals${query({ cursor, limit, status: status?.join(",") })}`),
    plan: (id) => client.sendJson<Plan | null>(path`/goals/${id}/plan`),
    subtasks: (id, { cursor, limit }) =>
      client.sendJson<Page<Subtask>>(`${path`/goals/${id}/subtasks`}${query({ cursor, limit })}`),
    preview: (body) => client.sendJson<PlanPreview>("/goals/preview", { method: "POST", body }),
    route: (body) => client.sendJson<RouteDecision>("/goals/route", { method: "POST", body }),
    rerun: (id, request, options) => create(path`/goals/${id}/rerun`, request, options),
    diff: (first, second) => client.sendJson<GoalDiff>(path`/goals/${first}/diff/${second}`),
    async exportSuite(id, { tasks, whole }) {
      const asked = query({ tasks: tasks?.join(","), ...(whole === true && { whole: "true" }) });
      return (await client.send(`${path`/goals/${id}/suite`}${asked}`)).text();
    },
  };
}
