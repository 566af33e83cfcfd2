// What a build is asked for, and what comes out of it.
import type { Provider } from "../provider.ts";

export interface BuildRequest {
  /** Absolute: the context, which holds the Dockerfile. */
  dir: string;
  /** Relative to it; `Dockerfile` when absent. */
  file?: string;
  /** Layers live below it, in `layers/<hash>`. */
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
  /** Told which step is under way. */
  note?: (text: string) => void;
  /** Values for ARG. */
  args?: Readonly<Record<string, string>>;
}

export interface BuiltImage {
  /** The hash of everything that the image was made from. */
  hash: string;
  /** Directories of this machine, the topmost first. */
  layers: string[];
  /** `/app` when the file says none. */
  workdir: string;
  /** Root when absent. */
  user?: string;
  env: Record<string, string>;
  /** It makes users or gives files to them: it needs the profile multi-user. */
  needsUsers: boolean;
  /** Notes on what differs from the Dockerfile, and why that serves as well. */
  notes: string[];
}
