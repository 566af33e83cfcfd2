// Where a part of a suite comes from: a YAML file, or the object that a module exports. Both can say where something
// stands.
import type { Finding } from "../../runtime/yaml/findings.ts";
import type { Position, Problem } from "../../runtime/yaml/problem.ts";
import type { Path } from "../../runtime/yaml/yaml-locate.ts";
import type { YamlSource } from "../../runtime/yaml/yaml-source.ts";

export interface Source {
  /** The name of the file in messages. */
  file: string;
  /** The absolute folder that relative paths start in. */
  folder: string;
  /** Undefined when it could not be read, for the reasons in `problems`. */
  value: unknown;
  problems: Problem[];
  place(path: Path, at?: Finding["at"]): SourcePlace;
}

interface SourcePlace extends Position {
  file: string;
  /** The path in the object that a module exports. */
  path?: string;
}

export function yamlSource(yaml: YamlSource, folder: string): Source {
  const { file, value, problems } = yaml;
  return {
    file,
    folder,
    value,
    problems,
    place: (path, at) => ({ file, ...(at === "key" ? yaml.keyAt(path) : yaml.valueAt(path)) }),
  };
}

export function problemAt(source: Source, { path, at, message, hint }: Finding): Problem {
  return { ...source.place(path, at), message, ...(hint !== undefined && { hint }) };
}

/** The finding with its path extended by the prefix. */
export function below(prefix: Path, finding: Finding): Finding {
  return { ...finding, path: [...prefix, ...finding.path] };
}
