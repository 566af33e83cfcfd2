// Encrypts the environment of a waiting run, so that it survives a restart and storage never holds it readable.

export interface Sealer {
  seal(plain: string): string;
  /** Returns the plain text; undefined when it was sealed with another key or changed since. */
  open(sealed: string): string | undefined;
}
