// A file of facts that a text is held to, in YAML or JSON, with the sections that the ATP platform has.
import { resolve } from "node:path";
import { z } from "zod";
import { loadYaml } from "../../runtime/yaml/load-yaml.ts";

export interface Fact {
  kind: "fact" | "date" | "number";
  /** What it is about, in words. */
  subject: string;
  /** Any of them is right. */
  values: string[];
}

export interface GroundTruth {
  facts: Fact[];
  /** Addresses and names that may be cited; any may when there are none. */
  validSources: string[];
}

const MAX_FACTS = 1000;
const value = z.union([z.string().trim().min(1).max(1000), z.number()]);
const section = z
  .record(z.string().trim().min(1).max(500), z.union([value, z.array(value).min(1).max(50)]))
  .default({});

const schema = z.strictObject({
  facts: section,
  dates: section,
  numbers: section,
  valid_sources: z.array(z.string().trim().min(1).max(1000)).max(1000).default([]),
});

/** Throws with all problems, each with its place. */
export async function loadGroundTruth(file: string, folder: string): Promise<GroundTruth> {
  const path = resolve(folder, file);
  const {
    facts,
    dates,
    numbers,
    valid_sources: validSources,
  } = await loadYaml(path, schema, {
    code: "SUITE_INVALID",
    displayName: file,
  });
  const all = [...factsOf("fact", facts), ...factsOf("date", dates), ...factsOf("number", numbers)];
  if (all.length > MAX_FACTS) throw new Error(`${file} holds more than ${MAX_FACTS} facts`);
  return { facts: all, validSources };
}

function factsOf(kind: Fact["kind"], given: z.output<typeof section>): Fact[] {
  return Object.entries(given).map(([subject, found]) => ({
    kind,
    subject,
    values: (Array.isArray(found) ? found : [found]).map(String),
  }));
}
