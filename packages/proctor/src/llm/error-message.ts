// What a model says went wrong, out of the forms in which servers of OpenAI's API say it.
import { isJsonObject, type Json } from "../core/json.ts";

const UNNAMED = "the hub's model reports an error";

/** Returns the message of a model's `error`; undefined when there is no error. */
export function modelErrorMessage(error: Json | undefined): string | undefined {
  if (error === undefined || error === null || error === false) return undefined;
  if (typeof error === "string" && error !== "") return error;
  if (isJsonObject(error) && typeof error["message"] === "string" && error["message"] !== "") {
    return error["message"];
  }
  return UNNAMED;
}
