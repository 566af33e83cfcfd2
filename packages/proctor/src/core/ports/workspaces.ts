// Gives every run a directory of its own and takes it away. Nothing outside of it is ever written or deleted, and
// nothing outside of it is read because an agent said so: not through `..`, not through links.

export interface Workspaces {
  /** With `again`, a directory that is still there is used as it is. Throws FILE_UNREADABLE when the fixture cannot be copied. */
  create(runId: string, options: { fixture?: string; keep?: boolean; again?: boolean }): Promise<Workspace>;
  /** Opens a directory that the client brought, which is never removed. Rejects where there is none. */
  open(path: string): Promise<Workspace>;
  /** Opens the directory of an ended run that was kept or held; resolves with undefined where there is none. */
  openKept(runId: string): Promise<KeptWorkspace | undefined>;
  /** Removes what a crash left behind; call it before runs start. */
  sweep(): Promise<void>;
}

/** A directory that is only read. */
export interface WorkspaceView {
  /** The absolute path of the directory on this machine. */
  path: string;
  /** Finds the regular file that an agent means by a path; "outside", "missing" or "not-a-file" where there is none. */
  find(path: string): Promise<WorkspaceFile | "outside" | "missing" | "not-a-file">;
  /** Lists regular files that match one of the patterns, by path, at most `limit`. */
  list(patterns: readonly string[], limit: number): Promise<WorkspaceFile[]>;
  /** Resolves with the kind of the entry at a path that an agent gave. A link counts as its target, unless that is "outside". */
  kind(path: string): Promise<EntryKind>;
  /** Counts regular files that match a pattern relative to a folder; links do not count. */
  count(folder: string, pattern: string): Promise<FileCount>;
}

/** The directory of an ended run. */
export interface KeptWorkspace extends WorkspaceView {
  /** Packs the directory as a tar stream, for a client elsewhere. Throws PAYLOAD_TOO_LARGE before the first byte. */
  pack(): Promise<AsyncIterable<Uint8Array>>;
  remove(): Promise<void>;
}

export interface Workspace extends WorkspaceView {
  /** Resolves with the present state of the files, to find out later which of them changed. */
  mark(): Promise<WorkspaceMark>;
  /**
   * Lists regular files that match one of the patterns and were made or changed since, by path, at most `limit`. Leaves out folders of tools:
   * hidden ones, `node_modules`, `__pycache__`, `venv`.
   */
  changed(since: WorkspaceMark, patterns: readonly string[], limit: number): Promise<ChangedFiles>;
  /** Removes the directory, unless it is to be kept. */
  remove(): Promise<void>;
}

/** "other" is a pipe, a device, or something that cannot be read. */
export type EntryKind = "file" | "directory" | "other" | "missing" | "outside";

/** The state of each file, by its path. */
export type WorkspaceMark = ReadonlyMap<string, string>;

export interface ChangedFiles {
  files: WorkspaceFile[];
  /** False when there are more files than are listed. */
  complete: boolean;
}

export interface FileCount {
  files: number;
  /** False when there were too many files to count, or a folder could not be read. */
  complete: boolean;
}

export interface WorkspaceFile {
  /** The path relative to the workspace, with `/`. */
  path: string;
  sizeBytes: number;
  read(): AsyncIterable<Uint8Array>;
}
