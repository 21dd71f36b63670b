// Preloaded into Node: moves the clock of a process so that it starts at PLUMBLINE_CLOCK, an ISO time in UTC, and goes on from there.
const RealDate = Date;
const offsetMs = RealDate.parse(process.env.PLUMBLINE_CLOCK ?? '') - RealDate.now();

if (Number.isFinite(offsetMs)) {
  globalThis.Date = class ShiftedDate extends RealDate {
    constructor(...given) {
      super(...(given.length === 0 ? [ShiftedDate.now()] : given));
    }

    static now() {
      return RealDate.now() + offsetMs;
    }
  };
}
