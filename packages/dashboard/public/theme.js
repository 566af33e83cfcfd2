// Before anything is painted: the theme that was chosen in Settings. Without a choice, the system's.
try {
  const theme = localStorage.getItem("proctor.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Without storage there is no choice to read.
}
