// The Back of the browser: while a question is open it closes that, and leads nowhere else.

/** What the next steps back are for. @type {(() => void)[]} */
const awaited = [];
/** Settles when the history is where it was before the last question. */
let settled = Promise.resolve();

/** Call `arrive` whenever somebody goes back or on to another address. @param {() => void} arrive */
export const onBack = (arrive) => window.addEventListener("popstate", () => (awaited.shift() ?? arrive)());

/** Before the address changes. */
export const backSettled = () => settled;

/**
 * @param {() => void} close called when somebody goes back
 * @returns {() => void} to be called however it is closed
 */
export function closedByBack(close) {
  let isOpen = true;
  /** @type {Promise<void>} */
  const left = new Promise((resolve) => {
    awaited.push(() => {
      resolve();
      if (!isOpen) return;
      isOpen = false;
      close();
    });
  });
  const entered = settled.then(() => history.pushState(null, ""));
  return () => {
    if (!isOpen) return;
    isOpen = false;
    settled = entered.then(() => {
      history.back();
      return left;
    });
  };
}
