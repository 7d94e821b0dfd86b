// A static host shows the page for unknown addresses in place of any address, however deep, and under any path: its
// relative links would lead nowhere. The page asks for this script at every height; the nearest that is there knows home.
"use strict";
if (!document.documentElement.dataset.home) {
  const home = new URL("../", document.currentScript.src).href;
  document.documentElement.dataset.home = home;
  for (const link of document.querySelectorAll("a[data-page]")) link.href = home + link.dataset.page;
  for (const [tag, attributes] of [["link", { rel: "stylesheet", href: `${home}assets/site.css` }], ["link", { rel: "icon", href: `${home}assets/icon.svg` }], ["script", { src: `${home}assets/theme.js` }]]) {
    document.head.append(Object.assign(document.createElement(tag), attributes));
  }
}
