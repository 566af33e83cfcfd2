// The few variables a program needs to find its way, and nothing that could be a secret.

const KEPT = ["PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR"];
const KEPT_WINDOWS = [
  "SystemRoot",
  "SystemDrive",
  "windir",
  "ComSpec",
  "PATHEXT",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
  "ProgramFiles",
  "ProgramData",
  "TEMP",
  "TMP",
];

/** The variables that a child may inherit from us. Every other variable has to be given to it by name. */
export function baseEnvironment(source: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const windows = process.platform === "win32";
  // Windows looks variables up without regard to case, and writes PATH as Path.
  const fold = (name: string): string => (windows ? name.toUpperCase() : name);
  const kept = new Set((windows ? [...KEPT, ...KEPT_WINDOWS] : KEPT).map(fold));
  const picked: Record<string, string> = {};
  for (const [name, value] of Object.entries(source)) {
    if (value !== undefined && (kept.has(fold(name)) || name.startsWith("LC_"))) picked[name] = value;
  }
  return picked;
}
