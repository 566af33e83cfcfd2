// What each kind of environment offers to open-environments.ts, which chooses, builds and refuses before a provider is asked.
import type { EnvironmentKind, Profile } from "../core/environment.ts";
import type { Environment, EnvironmentReport, OpenEnvironment } from "../core/ports/environments.ts";

export interface Provider {
  kind: EnvironmentKind;
  /** Reports what the provider offers on this machine; never throws. */
  probe(): Promise<EnvironmentReport>;
  open(request: PreparedEnvironment): Promise<Environment>;
  /** Removes leftovers of dead hub processes, and leaves alone what belongs to running ones. */
  sweep(): Promise<void>;
}

/** A request whose image is built and whose questions are answered. */
export interface PreparedEnvironment extends OpenEnvironment {
  profile: Profile;
  /** Directories of this machine that overlay the root, the topmost first, each in the form of an upper directory of overlayfs. */
  layers: readonly string[];
  /**
   * An existing directory of this machine that receives what is written, and becomes a layer when the environment is destroyed.
   * Without it, what is written is held in memory, within the disk limit, and gone in the end.
   */
  upper?: string;
  /** The image that was built or named, for the container provider. */
  image?: string;
  workdir: string;
  /** The user that programs run as; root when absent. */
  user?: string;
  /** Variables of the image and of the options. */
  env: Readonly<Record<string, string>>;
  /** The name of the root in `EnvironmentFacts.root`. */
  rootName: string;
  /** Notes of the build for the environment's facts. */
  notes: readonly string[];
}
