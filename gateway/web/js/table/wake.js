// Keeps the screen on while a game is on it.

/** @param {AbortSignal} signal */
export function stayAwake(signal) {
  if (!("wakeLock" in navigator)) return;
  /** @type {WakeLockSentinel | null} */
  let lock = null;
  const hold = async () => {
    if (document.visibilityState !== "visible" || signal.aborted) return;
    lock = await navigator.wakeLock.request("screen").catch(() => null); // an empty battery may refuse it
    if (signal.aborted) lock?.release();
  };
  document.addEventListener("visibilitychange", hold, { signal });
  signal.addEventListener("abort", () => lock?.release());
  hold();
}
