// A mapping whose keys are not the format's to check: metadata, messages of a protocol, what data should contain.
import { z } from "zod";
import { isJsonObject, type JsonObject } from "../../core/json.ts";

export const jsonMapping = z.custom<JsonObject>(isJsonObject, {
  message: "this must be a mapping (key: value)",
});
