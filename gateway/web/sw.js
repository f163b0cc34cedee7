// Keeps the shell on the device, so that the client opens without a network; plays are kept elsewhere.
const VERSION = "{{version}}";
const KEPT = Object.entries({{kept}}).flatMap(
  ([place, names]) => names.split(" ").map((name) => `/app/${VERSION}/${place.replace("*", name)}`),
);
const SCREENS = {{screens}};
const CACHE = `shell-${VERSION}`;
const READ = "read"; // the guide, as it was last read

// No skipWaiting: open pages go on with the files that they began with.
self.addEventListener("install", (event) => event.waitUntil(install()));

async function install() {
  const spoken = [];
  for (const { url } of (await Promise.all((await caches.keys()).map(requests))).flat()) {
    const [name] = /lang\/\w+\.json$/.exec(url) ?? [];
    if (name) spoken.push(`/app/${VERSION}/${name}`);
  }
  const cache = await caches.open(CACHE);
  await cache.addAll(["/", "/manifest.webmanifest"]);
  await Promise.all([...new Set([...KEPT, ...spoken])].map((path) => keep(cache, path)));
}

const requests = async (name) => (await caches.open(name)).keys();

/** A gateway of another version gives its own file, which is none to keep. */
async function keep(cache, path) {
  const answer = await fetch(path);
  if (!/immutable/.test(answer.headers.get("Cache-Control"))) throw new Error(path);
  await cache.put(path, answer);
}

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE && name !== READ).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (request.mode === "navigate") {
    if (SCREENS.includes(address.pathname.split("/")[1])) event.respondWith(fromCache("/", request));
  } else if (address.pathname.startsWith("/app/") || address.pathname === "/manifest.webmanifest") {
    event.respondWith(fromCache(request, request));
  } else if (/^\/v1\/rulesets\/[^/]+\/guide(\/.*)?$/.test(address.pathname)) {
    event.respondWith(newest(request));
  }
});

async function fromCache(key, request) {
  const found = await caches.match(key);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok && new URL(request.url).pathname.startsWith(`/app/${VERSION}/`)) {
    const cache = await caches.open(CACHE);
    await cache.put(request, answer.clone());
  }
  return answer;
}

async function newest(request) {
  const cache = await caches.open(READ);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const found = await cache.match(request);
    if (found) return found;
    throw error;
  }
}
