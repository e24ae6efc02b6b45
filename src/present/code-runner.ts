/** What a program does with the first word that is neither an option nor the value of one. */
type Operand =
  /** It is a file, or data for the program. */
  | 'file'
  /** It begins another command. */
  | 'command'
  /** It and the following words are a script. */
  | 'script'
  /** It names a task of the program. What follows is judged as if the program had that name, too. */
  | 'task';

/** How a program takes code from its arguments. */
export interface CodeRunner {
  readonly program: RegExp;
  /** What the code is. */
  readonly what: string;
  /** Options whose value is code: the next word, or the rest of the same one. */
  readonly code?: RegExp;
  /** Options with a value in the next word, which is no code. */
  readonly values?: RegExp;
  /**
   * Options without a value in the next word. With an option of any other kind, no one knows which word is what, so the
   * words after it count as code, or as a command.
   */
  readonly flags?: RegExp;
  /** Options by which a shell reads commands from its standard input. */
  readonly input?: RegExp;
  readonly operand: Operand;
  /** Operands before the one that counts: the duration of `timeout`, the host of `ssh`. */
  readonly skips?: number;
  /** Options for code may also follow operands. */
  readonly isAnywhere?: boolean;
  /** An option whose value replaces the program that the operand names. */
  readonly entry?: RegExp;
  /** What options begin with. */
  readonly option?: RegExp;
}
