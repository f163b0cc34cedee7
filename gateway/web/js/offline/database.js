// What this device keeps of games: one IndexedDB database for each person, and one for guests.

/** @type {Map<string, Promise<IDBDatabase>>} */
const opened = new Map();

/** @param {string} owner */
const nameOf = (owner) => `ninety-eight-${owner}`;

/** @param {string} owner an account id, or what stands for guests @returns {Promise<IDBDatabase>} */
function database(owner) {
  const known = opened.get(owner);
  if (known) return known;
  const lost = () => opened.delete(owner);
  /** @type {Promise<IDBDatabase>} */
  const opening = new Promise((resolve, reject) => {
    const request = indexedDB.open(nameOf(owner), 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("games", { keyPath: "id" });
      request.result.createObjectStore("lines", { autoIncrement: true }).createIndex("game_id", "game_id");
    };
    request.onsuccess = () => {
      request.result.onclose = lost;
      request.result.onversionchange = () => {
        request.result.close();
        lost();
      };
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  opened.set(owner, opening);
  opening.catch(lost);
  return opening;
}

/**
 * @param {string} owner
 * @param {"games" | "lines"} store
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest | void} work
 * @returns {Promise<any>} what the request found, once everything is on the disk
 */
export async function within(owner, store, mode, work) {
  const begun = async () => (await database(owner)).transaction(store, mode, { durability: "strict" });
  const transaction = await begun().catch(() => {
    // Browsers close databases in the background: once more
    opened.delete(owner);
    return begun();
  });
  return new Promise((resolve, reject) => {
    const request = work(transaction.objectStore(store));
    transaction.oncomplete = () => resolve(request ? request.result : undefined);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

/** Remove everything kept for somebody. @param {string} owner */
export async function removeAll(owner) {
  (await opened.get(owner)?.catch(() => null))?.close();
  opened.delete(owner);
  await new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(nameOf(owner));
    request.onsuccess = request.onerror = request.onblocked = resolve;
  });
}
