// The result of a test that compares a first thing with a second: how likely so large a difference is when there is none.

export interface PValues {
  /** A difference this large in either direction. */
  two_sided: number;
  /** The second is as much lower as seen, or more. */
  less: number;
  /** The second is as much higher as seen, or more. */
  greater: number;
}
