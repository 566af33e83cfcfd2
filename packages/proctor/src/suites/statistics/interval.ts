// A range that a figure lies in with some confidence. Snake-case documents hold it as it is.

export type Interval = {
  low: number;
  high: number;
};
