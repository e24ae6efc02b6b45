/** What a call asks to be said back, if nothing else is wanted. */
export const CALL_TEXT =
  'The quick brown fox jumps over the lazy dog, and says so in about as many words as a tool is told. '.repeat(2);
