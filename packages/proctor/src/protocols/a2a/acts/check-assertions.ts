// What is wrong with the assertions of a document of ACTS before anything is tried: operators whose argument would make a field of them, patterns
// and paths that cannot be read. Pure.
import { isJsonObject, type Json } from "../../../core/json.ts";
import { messageOf } from "../../../core/message-of.ts";
import type { Finding } from "../../../runtime/yaml/findings.ts";
import type { Path } from "../../../runtime/yaml/yaml-locate.ts";
import { operatorOf } from "./match.ts";
import { parsePath } from "./path.ts";
import type { NamedAssertion } from "./step-schema.ts";

export function finding(path: Path, message: string, hint?: string): Finding {
  return { path, at: "value", message, ...(hint !== undefined && { hint }) };
}

export function checkTree(assertion: Json, path: Path): Finding[] {
  if (Array.isArray(assertion)) return assertion.flatMap((each, index) => checkTree(each, [...path, index]));
  if (!isJsonObject(assertion)) return [];
  return Object.entries(assertion).flatMap(([key, argument]) => {
    if (argument === undefined) return [];
    const at = [...path, key];
    const isOperator = operatorOf(key, argument) !== undefined;
    if (key === "matches" && typeof argument === "string" && !isOperator)
      return [finding(at, "this is no regular expression")];
    if ((key === "exists" || key === "absent") && argument === false) {
      const other = key === "exists" ? "absent" : "exists";
      return [finding(at, `"${key}" takes true alone`, `write ${other}: true`)];
    }
    return checkTree(argument, at);
  });
}

export function checkPath(text: string, path: Path): Finding[] {
  return checked(() => parsePath(text), path);
}

/** Returns what `parse` throws, as a finding. */
export function checked(parse: () => unknown, path: Path): Finding[] {
  try {
    parse();
    return [];
  } catch (error) {
    return [finding(path, messageOf(error))];
  }
}

export function checkNamedAssertion(assertion: NamedAssertion, path: Path): Finding[] {
  const { any, all, none } = assertion;
  return [
    ...(assertion.path === undefined ? [] : checkPath(assertion.path, [...path, "path"])),
    ...(assertion.match === undefined ? [] : checkTree(assertion.match, [...path, "match"])),
    ...Object.entries({ any, all, none }).flatMap(([name, collection]) =>
      collection === undefined
        ? []
        : [
            ...checkPath(collection.path, [...path, name, "path"]),
            ...checkTree(collection.match, [...path, name, "match"]),
          ],
    ),
  ];
}
