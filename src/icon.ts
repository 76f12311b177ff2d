/** The mark of touchstone as an icon of pages: a tick in a cut stone. */

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><rect width="20" height="20" rx="4" fill="#fff"/><path d="M4 2.5h12l2.5 5L10 18 1.5 7.5z" fill="none" stroke="#14181f" stroke-width="1.6" stroke-linejoin="round"/><path d="M6.2 9.2l2.7 2.7 5-5.2" fill="none" stroke="#176f3a" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/** The element that names it, which fetches nothing. */
export const iconLink = `<link rel="icon" href="data:image/svg+xml;base64,${Buffer.from(drawing).toString("base64")}">`;
