// Whether this machine has room for the files of another run. A worker whose disk is full takes none, for it could only fail them.
export interface Room {
  /** Returns why no run fits here now; undefined while there is room. */
  full(): string | undefined;
  /** Reports that a run met a full disk: no run fits until a new check finds room. */
  met(): void;
}
