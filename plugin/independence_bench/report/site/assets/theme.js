// Before anything is drawn: that scripts run, and light or dark: the system's choice unless the reader has made one.
"use strict";
const theme = {
  read(name = "theme") {
    try { return localStorage.getItem(name); } catch { return null; } // files and private windows may have no storage
  },
  write(value, name = "theme") {
    try { localStorage.setItem(name, value); } catch { /* it holds for this page, then */ }
  },
  get dark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  },
};
{
  document.documentElement.classList.add("js");
  const chosen = theme.read();
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
}
