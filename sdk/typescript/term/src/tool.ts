// Functions that a model may call.
import type { JsonObject } from "./json.ts";

export class Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments; empty for a function without any. */
  readonly parameters: JsonObject;

  constructor(name: string, description = "", parameters: JsonObject = {}) {
    this.name = name;
    this.description = description;
    this.parameters = parameters;
  }

  toJSON(): JsonObject {
    const { name, description } = this;
    const isEmpty = Object.keys(this.parameters).length === 0;
    const parameters = isEmpty ? { type: "object", properties: {} } : this.parameters;
    return { type: "function", function: { name, description, parameters } };
  }
}

/** A call that a model asks for. */
export interface FunctionCall {
  name: string;
  /** The parsed arguments; null when the model did not write a JSON object. */
  arguments: JsonObject | null;
  id: string | null;
  /** The arguments as the model wrote them. */
  text: string;
}
