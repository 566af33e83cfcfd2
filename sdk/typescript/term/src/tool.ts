// Functions that a model may call.
import type { JsonObject } from "./json.ts";

export class Tool {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of the arguments; empty for a function without any. */
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

/** What a model asks for. */
export interface FunctionCall {
  name: string;
  /** Null when it wrote no JSON object. */
  arguments: JsonObject | null;
  id: string | null;
  /** The arguments as it wrote them. */
  text: string;
}
