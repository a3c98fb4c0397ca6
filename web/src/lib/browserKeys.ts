/**
 * Keys that browsers (Chrome, Edge, Firefox, Safari) use themselves, on any system: a page that takes one away leaves its user
 * without it. From the browsers' own lists of shortcuts; with Ctrl, all are taken as theirs.
 */
export const BROWSER_KEYS: readonly string[] = [
  // Tabs on Linux, and the last one.
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => `Alt+${digit}`),
  // Help, search, address bar, reload, places of the window, reading with the cursor, reader, menu, whole screen, tools.
  ...["F1", "F3", "F4", "F5", "F6", "F7", "F9", "F10", "F11", "F12"],
  ...["Shift+F3", "Shift+F5", "Shift+F6", "Shift+F7", "Shift+F9", "Shift+F10", "Shift+F12"],
  // History, home page, menus, address bar, downloads.
  ...["Alt+ArrowLeft", "Alt+ArrowRight", "Alt+Home", "Alt+Enter", "Alt+F4", "Alt+Space"],
  ...["D", "E", "F", "S", "V", "B", "T", "H", "A", "X", "G", "K", "Z"].map((key) => `Alt+${key}`),
  // Bookmarks, tools of the window, feedback, unfocused dialogs; the other way through windows.
  ...["Alt+Shift+A", "Alt+Shift+B", "Alt+Shift+I", "Alt+Shift+T", "Alt+Shift+Tab"],
  // Search as one types, and scrolling.
  ...["/", "'", "Backspace", " ", "Tab", "Escape", "Enter", "Home", "End", "PageUp", "PageDown"],
  ...["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"],
];
