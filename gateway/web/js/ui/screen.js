// What nearly every screen and part is written with, from one place.

export { button, iconButton } from "./button.js";
export { agreed, ask } from "./dialog.js";
export { doing } from "./doing.js";
export { h, s } from "./dom.js";
export { list, moment, number, percent, spoken, t } from "./i18n.js";
export { icon } from "./icons.js";
export { render } from "./morph.js";
export { notice } from "./notice.js";
