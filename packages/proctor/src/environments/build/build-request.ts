// What a build is asked for, and what comes out of it.
import type { Provider } from "../provider.ts";

export interface BuildRequest {
  /** Absolute path of the context, which contains the Dockerfile. */
  dir: string;
  /** Path of the Dockerfile relative to the context; `Dockerfile` when absent. */
  file?: string;
  /** Directory of the build's state; layers are in `layers/<hash>` below it. */
  stateDir: string;
  /** Opens an environment; its provider must know layers. */
  open: Provider["open"];
  /** The directory that stands in for base images; the machine's own system directories when absent. */
  root?: string;
  /** The network that RUN steps have. */
  network: "none" | "host";
  /** Milliseconds that the whole build may take. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Called with a text about the step under way. */
  note?: (text: string) => void;
  /** Values for ARG. */
  args?: Readonly<Record<string, string>>;
}

export interface BuiltImage {
  /** Hash of everything that the image was made from. */
  hash: string;
  /** Directories of the layers on this machine, the topmost first. */
  layers: string[];
  /** Working directory; `/app` when the Dockerfile has none. */
  workdir: string;
  /** User that programs run as; root when absent. */
  user?: string;
  env: Record<string, string>;
  /** True when the image creates users or gives files to them, and so needs the profile multi-user. */
  needsUsers: boolean;
  /** Notes on what differs from the Dockerfile, and why that serves as well. */
  notes: string[];
}
