// What an endpoint says went wrong, as the failure of the run.
import { failure, type Failure } from "../../core/failure.ts";
import { isJsonObject, type Json } from "../../core/json.ts";
import { sketch } from "../sketch.ts";
import { wholeText } from "../whole-text.ts";

const CODE = /^[\w.-]{1,100}$/;

/** Returns undefined where the value says that nothing is wrong: false or empty. */
export function failureIn(value: Json | undefined): Failure | undefined {
  if (value === undefined || value === null || value === false || value === "" || value === 0)
    return undefined;
  if (typeof value === "string") return failure("AGENT_FAILED", wholeText(value));
  if (Array.isArray(value)) return failureIn(value[0]);
  if (!isJsonObject(value)) return failure("AGENT_FAILED", "the agent said that it failed");
  if (Object.keys(value).length === 0) return undefined;
  const { code } = value;
  const said = [value["message"], value["error"], value["detail"]].find((text) => typeof text === "string");
  const message = said === undefined ? `the agent said that it failed: ${sketch(value)}` : wholeText(said);
  const own = typeof code === "string" && CODE.test(code);
  return own ? { code, message } : failure("AGENT_FAILED", message);
}
