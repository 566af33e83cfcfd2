// Whether this machine has room for the files of another run. A worker whose disk is full takes none, for it could only fail them.
export interface Room {
  /** Why no run fits here now; undefined while there is room. */
  full(): string | undefined;
  /** A run met a full disk: there is no room until a look finds some. */
  met(): void;
}
