// Where a part of a suite comes from: a YAML file, or the object that a module exports. Both can say where something
// stands.
import type { Finding } from "../../runtime/yaml/findings.ts";
import type { Position, Problem } from "../../runtime/yaml/problem.ts";
import type { Path } from "../../runtime/yaml/yaml-locate.ts";
import type { YamlSource } from "../../runtime/yaml/yaml-source.ts";

export interface Source {
  /** As messages name it. */
  file: string;
  /** Absolute: relative paths in it are taken from here. */
  folder: string;
  /** Undefined when it could not be read; `problems` say why. */
  value: unknown;
  problems: Problem[];
  place(path: Path, at?: Finding["at"]): SourcePlace;
}

export interface SourcePlace extends Position {
  file: string;
  /** In the object of a module. */
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

/** What a finding says, as seen from further out. */
export function below(prefix: Path, finding: Finding): Finding {
  return { ...finding, path: [...prefix, ...finding.path] };
}
