// A static host shows the page for unknown addresses in place of any address, however deep, and under any path: its
// relative links would lead nowhere. The page asks for this script at every height; the nearest one there knows home.
"use strict";
if (!document.documentElement.dataset.home) {
  const home = new URL("../", document.currentScript.src).href;
  document.documentElement.dataset.home = home;
  for (const link of document.querySelectorAll("a[data-page]")) link.href = home + link.dataset.page;
  const add = (tag, fields) => document.head.append(Object.assign(document.createElement(tag), fields));
  add("link", { rel: "stylesheet", href: `${home}assets/site.css` });
  add("link", { rel: "icon", href: `${home}assets/icon.svg` });
  add("script", { src: `${home}assets/theme.js` });
}
