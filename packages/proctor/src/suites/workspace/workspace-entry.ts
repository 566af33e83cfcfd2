// What the checks of files share: what stands under a path of the workspace, and how to say that it is not there.
import type { EntryKind, WorkspaceView } from "../../core/ports/workspaces.ts";
import type { CheckSubject } from "../check.ts";
import { quote } from "../../core/printable.ts";
import { unevaluated } from "../verdict.ts";
import type { Verdict } from "../verdict.ts";
import { quoted } from "../texts/words.ts";
import { joinInside } from "./workspace-path.ts";

export interface Entry {
  workspace: WorkspaceView;
  /** The path relative to the workspace. */
  path: string;
  /** The path in quotes, for messages. */
  name: string;
  kind: Exclude<EntryKind, "outside">;
}

/** A link that leads out of the workspace is not followed, so its check is unevaluated. */
export async function judgeEntry(
  subject: CheckSubject,
  config: { path: string; workspace_path?: string | undefined },
  judge: (entry: Entry) => Verdict | Promise<Verdict>,
): Promise<Verdict> {
  const workspace = await subject.workspace();
  const path = joinInside(config.workspace_path, config.path);
  const kind = await workspace.kind(path);
  const name = quote(path, 200);
  if (kind === "outside") return unevaluated(`${name} is a link that leads out of the workspace`);
  return judge({ workspace, path, name, kind });
}

const LISTED = 10;

/** Returns `no file "a"; the workspace holds "b", "c"`. */
export async function notThere(what: string, { workspace, name, kind }: Entry): Promise<string> {
  if (kind !== "missing") return `${name} is ${WORDS[kind]}, no ${what}`;
  const files = await workspace.list(["**"], LISTED + 1);
  const names = quoted(files.slice(0, LISTED).map(({ path }) => path));
  const more = files.length > LISTED ? " and more" : "";
  return `no ${what} ${name}; ${names === "" ? "the workspace holds no files" : `the workspace holds ${names}${more}`}`;
}

const WORDS = { file: "a file", directory: "a folder", other: "neither a file nor a folder" };
