// GET /v1/models and GET /v1/models/{model}: the one model there is.
import type { JsonObject } from "../../core/json.ts";
import { ApiError } from "../../runtime/openai/api-error.ts";

const DEFAULT_MODEL = "mock";

export function listModels(model = DEFAULT_MODEL): JsonObject {
  return { object: "list", data: [describe(model)] };
}

/** Throws ApiError for an unknown model. */
export function findModel(name: string, model = DEFAULT_MODEL): JsonObject {
  if (name === model) return describe(model);
  throw new ApiError(404, `there is no such model here; there is ${JSON.stringify(model)}`, {
    code: "model_not_found",
    param: "model",
  });
}

function describe(id: string): JsonObject {
  return { id, object: "model", created: 0, owned_by: "proctor" };
}
