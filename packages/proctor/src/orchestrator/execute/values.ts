// Looks up what references stand for: the outputs of tasks that have settled are read from their runs when they are needed.
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { referencesIn, resolveReferences } from "../plan/references.ts";
import type { Values } from "../plan/values.ts";
import type { GoalContext } from "./context.ts";
import { readOutput } from "./read-output.ts";

export type Local = Pick<Values, "item" | "index">;
export type Resolved = { value: Json } | { problem: string };

export interface ValueReader {
  resolve(value: Json, local?: Local): Promise<Resolved>;
  /** Resolves with the values that the references in `value` refer to, as far as they are known. */
  valuesFor(value: Json, local?: Local): Promise<Values>;
  outputOf(task: string): Promise<Json | undefined>;
  /** Resolves with an agent's description and input, with references resolved; `problem` says which one could not be. */
  told(work: ToldWork, local?: Local): Promise<Told | { problem: string }>;
}

/** The description and input of a task as the plan writes them. */
interface ToldWork {
  description: string;
  input: Json | undefined;
}

interface Told {
  description: string;
  input: JsonObject;
}

export function createValueReader({ deps, goal, options, fold }: GoalContext): ValueReader {
  async function outputOfKey(key: string): Promise<Json | undefined> {
    const subtask = fold.state.subtasks.get(key);
    // The output of a task that its condition left out is null.
    if (subtask?.status === "skipped") return null;
    if (subtask?.outputRunId == null) return undefined;
    return readOutput(deps.hub, await deps.hub.run(subtask.outputRunId));
  }

  async function outputOf(task: string): Promise<Json | undefined> {
    const items = fold.state.items.get(task);
    if (items === undefined) return outputOfKey(task);
    const outputs: Json[] = [];
    for (let index = 0; index < items; index++)
      outputs.push((await outputOfKey(`${task}[${index}]`)) ?? null);
    return outputs;
  }

  async function valuesFor(value: Json, local: Local = {}): Promise<Values> {
    const known = new Map<string, Json | undefined>();
    for (const reference of referencesIn(value)) {
      if (reference.kind === "task" && !known.has(reference.task))
        known.set(reference.task, await outputOf(reference.task));
    }
    return { goal, params: options.params ?? {}, outputOf: (task) => known.get(task), ...local };
  }

  const resolve = async (value: Json, local?: Local): Promise<Resolved> =>
    resolveReferences(value, await valuesFor(value, local));

  return {
    valuesFor,
    outputOf,
    resolve,
    async told({ description, input = {} }, local) {
      const text = await resolve(description, local);
      if ("problem" in text) return text;
      const given = await resolve(input, local);
      if ("problem" in given) return given;
      if (!isJsonObject(given.value))
        return { problem: "the input of a task is an object, with names for its values" };
      const said = text.value;
      return { description: typeof said === "string" ? said : JSON.stringify(said), input: given.value };
    },
  };
}
