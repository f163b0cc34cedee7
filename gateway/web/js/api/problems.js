// What can go wrong with a call.

import { t } from "../ui/i18n.js";

/** The API has refused: its problem document. */
export class Refusal extends Error {
  /** @param {Record<string, any>} document @param {number} status @param {number | null} retryAfterS */
  constructor(document, status, retryAfterS) {
    super(document.detail ?? t("problem.unexpected", { status }));
    this.document = document;
    this.code = String(document.code ?? "");
    this.status = status;
    this.retryAfterS = retryAfterS;
  }

  /** Whether the same later may well succeed. */
  get passes() {
    return this.status === 429 || this.status >= 500 || this.code === "version_conflict";
  }
}

/** No answer has come; whatever was sent may have been carried out. */
export class Unreachable extends Error {
  passes = true;
  retryAfterS = null;

  constructor() {
    super(t("problem.unreachable"));
  }
}

/** Nobody is signed in (any more). */
export class SignedOut extends Error {
  constructor() {
    super(t("problem.signed_out"));
  }
}

/** What a person reads about `error`. @param {unknown} error */
export function said(error) {
  if (error instanceof Refusal) {
    const fields = Object.values(flat(error.document.errors)).join(" ");
    return error.code === "validation_failed" && fields ? `${error.message} ${fields}` : error.message;
  }
  return error instanceof Error ? error.message : String(error);
}

/** @param {any} errors @returns {string[]} */
function flat(errors) {
  if (typeof errors === "string") return [errors];
  return errors && typeof errors === "object" ? Object.values(errors).flatMap(flat) : [];
}

/** Whether the same later may well succeed. @param {any} error @returns {boolean} */
export const passes = (error) => (error instanceof Unreachable || error instanceof Refusal) && error.passes;
