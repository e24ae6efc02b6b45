/** The default text that a call asks the server to echo. */
export const CALL_TEXT =
  'The quick brown fox jumps over the lazy dog, and does it in about as many words as a tool often gets. '.repeat(2);
