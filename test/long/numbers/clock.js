// Preloaded into Node: moves the clock of a process so that it starts at PLUMBLINE_CLOCK, an ISO time in UTC, and goes on from there.
const RealDate = Date;
const offsetMs = RealDate.parse(process.env.PLUMBLINE_CLOCK ?? '') - RealDate.now();
const now = () => RealDate.now() + offsetMs;

// A proxy, not a subclass: libraries copy the methods of Date.prototype, which a subclass has none of its own.
if (Number.isFinite(offsetMs)) {
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, created) => Reflect.construct(target, given.length === 0 ? [now()] : given, created),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
}
