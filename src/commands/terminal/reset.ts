/**
 * Takes back what a program that did not clean up may have left on: it was killed, or the link went. Nothing here moves the cursor
 * or touches what is on the screen, so that it does no harm when there is nothing to take back.
 */
export const resetModes = [
  '\x1b[?2026l', // synchronized output
  '\x1b[?47l', // alternate screen; 1049 would put the cursor elsewhere
  '\x1b7\x1b[?69l\x1b[r\x1b8', // margins: setting them sends the cursor home
  '\x1b[m\x1b(B\x0f', // colours, line-drawing characters
  '\x1b[4l\x1b[20l\x1b[?5l\x1b[?7h', // insert mode, new-line mode, inverse screen; wraps at the right
  '\x1b[?1l\x1b>', // keys of applications: cursor, keypad
  '\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l', // mouse
  '\x1b[?1004l\x1b[?2004l\x1b[?2031l\x1b[?2048l', // reports of focus, pastes, colours, size
  '\x1b[>4m\x1b[=0u', // keys as xterm's modifyOtherKeys and the kitty protocol tell them
  '\x1b[?25h\x1b[0 q', // the cursor: there, in its usual shape
].join('');
