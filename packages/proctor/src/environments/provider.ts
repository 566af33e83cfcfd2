// What each kind of environment offers to open-environments.ts, which chooses, builds and refuses before a provider is asked.
import type { EnvironmentKind, Profile } from "../core/environment.ts";
import type { Environment, EnvironmentReport, OpenEnvironment } from "../core/ports/environments.ts";

export interface Provider {
  kind: EnvironmentKind;
  /** Never throws. */
  probe(): Promise<EnvironmentReport>;
  open(request: PreparedEnvironment): Promise<Environment>;
  /** Removes what processes of ours that are gone left behind; what living ones hold is not touched. */
  sweep(): Promise<void>;
}

/** A request whose image is built and whose questions are answered. */
export interface PreparedEnvironment extends OpenEnvironment {
  profile: Profile;
  /** Directories of this machine that lie over the root, the topmost first; each as overlayfs left it. */
  layers: readonly string[];
  /**
   * An existing directory of this machine that receives what is written, and becomes a layer when the environment is destroyed.
   * Otherwise that is held in memory, within the limit, and gone in the end.
   */
  upper?: string;
  /** For the container provider: what was built or named. */
  image?: string;
  workdir: string;
  /** Root when absent. */
  user?: string;
  /** Of the image and of the options. */
  env: Readonly<Record<string, string>>;
  /** `EnvironmentFacts.root`. */
  rootName: string;
  /** What the build had to say. */
  notes: readonly string[];
}
