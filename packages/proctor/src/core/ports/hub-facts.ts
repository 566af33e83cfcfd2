// The few facts that all processes of one database must agree on: a part of a Store.

/** `moving` is how far an interrupted move into this database is: see stores/moving. */
export type HubFactName = "database_id" | "moving" | "run_key" | "seal_check";

export interface HubFacts {
  read(name: HubFactName): Promise<string | undefined>;
  /** Writes the fact unless there is one. Resolves with the one that counts, which is the same in every process. */
  settle(name: HubFactName, value: string): Promise<string>;
  /** Writes the fact, even over an earlier one. */
  put(name: HubFactName, value: string): Promise<void>;
}
