// Loaded before the program (`node --require`): the clock of this process is off by SKEW_MS milliseconds, as that of a machine without NTP is.
const skewMs = Number(process.env.SKEW_MS);
const RealDate = Date;
const now = () => RealDate.now() + skewMs;

globalThis.Date = class Date extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(now());
    else super(...args);
  }
  static now() {
    return now();
  }
};
