// One at a time: over all tabs of this device, or in this page alone where there is no TLS and so no Web Locks.

/** @type {Map<string, Promise<any>>} */
const last = new Map();

/**
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export function exclusively(name, work) {
  if (navigator.locks) return navigator.locks.request(name, work);
  const done = (last.get(name) ?? Promise.resolve()).then(work, work);
  last.set(name, done);
  return done;
}
