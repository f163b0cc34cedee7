// What this device keeps of games for the person who uses it: one IndexedDB database for each person.

import { account } from "../api/session.js";

/** @type {Map<string, Promise<IDBDatabase>>} */
const opened = new Map();

/** The database of whoever is signed in, or of guests. */
export const databaseName = () => `ninety-eight-${account()?.id ?? "guest"}`;

/** @returns {Promise<IDBDatabase>} */
function database() {
  const wanted = databaseName();
  const known = opened.get(wanted);
  if (known) return known;
  const opening = new Promise((resolve, reject) => {
    const request = indexedDB.open(wanted, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("games", { keyPath: "id" });
      request.result.createObjectStore("lines", { autoIncrement: true }).createIndex("game_id", "game_id");
    };
    request.onsuccess = () => {
      request.result.onversionchange = () => {
        request.result.close();
        opened.delete(wanted);
      };
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  opened.set(wanted, opening);
  return opening;
}

/**
 * @param {"games" | "lines"} store
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest | void} work
 * @returns {Promise<any>} what the request found, once everything is on the disk
 */
export async function within(store, mode, work) {
  const db = await database();
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(store, mode, { durability: "strict" });
    const request = work(transaction.objectStore(store));
    transaction.oncomplete = () => resolve(request ? request.result : undefined);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

/** Remove everything kept for somebody. @param {string} [wanted] */
export async function removeAll(wanted = databaseName()) {
  (await opened.get(wanted))?.close();
  opened.delete(wanted);
  await new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(wanted);
    request.onsuccess = request.onerror = request.onblocked = resolve;
  });
}
