// What `labs` names: scripts that stand in the suite, or files, which are read once however many tests name them.
import type { LabSet } from "../../core/labs.ts";
import type { OAuthScript } from "../../core/oauth-script.ts";
import type { PushScript } from "../../core/push-script.ts";
import type { NamedFileOptions } from "../../runtime/yaml/load-yaml.ts";
import type { Problem } from "../../runtime/yaml/problem.ts";
import type { Variables } from "../../runtime/yaml/variables.ts";
import { loadOAuthScript } from "../load-oauth-script.ts";
import { loadPushScript } from "../load-push-script.ts";
import { inside, type Spot } from "./context.ts";
import { loadNamedFiles, placeNamed, type NamedEntry } from "./named-file.ts";

export interface LabsEntry {
  oauth?: NamedEntry<OAuthScript>;
  push?: NamedEntry<PushScript>;
}

export interface LabsFile {
  oauth?: string | OAuthScript | null | undefined;
  push?: string | PushScript | null | undefined;
}

/** Resolves the entries. A file that does not exist is reported. */
export function placeLabs(entry: LabsFile | undefined, spot: Spot): LabsEntry | undefined {
  if (entry === undefined) return undefined;
  const oauth = placeNamed(entry.oauth ?? undefined, inside(spot, "oauth"));
  const push = placeNamed(entry.push ?? undefined, inside(spot, "push"));
  return { ...(oauth && { oauth }), ...(push && { push }) };
}

/** Loads the files of labs; returns a function that gets the labs of an entry. */
export async function loadLabFiles(
  entries: readonly LabsEntry[],
  variables: Variables,
  problems: Problem[],
): Promise<(entry: LabsEntry | undefined) => LabSet | undefined> {
  const load = <Script>(
    named: readonly (NamedEntry<Script> | undefined)[],
    read: (file: string, options: NamedFileOptions) => Promise<Script>,
  ): Promise<(entry: NamedEntry<Script> | undefined) => Script | undefined> =>
    loadNamedFiles(named, (file, displayName) => read(file, { variables, displayName }), problems);
  const oauthOf = await load(
    entries.map(({ oauth }) => oauth),
    loadOAuthScript,
  );
  const pushOf = await load(
    entries.map(({ push }) => push),
    loadPushScript,
  );
  return (entry) => {
    if (entry === undefined) return undefined;
    const [oauth, push] = [oauthOf(entry.oauth), pushOf(entry.push)];
    return { ...(oauth && { oauth }), ...(push && { push }) };
  };
}
