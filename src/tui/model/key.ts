/** A pressed key: its name, and the text it types, if any. */
export interface KeyPress {
  readonly name: string;
  readonly text: string;
}

/** A key as Node reports it. */
export interface PressedKey {
  readonly sequence?: string | undefined;
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
  readonly shift?: boolean | undefined;
}

const NAMES: Readonly<Record<string, string>> = { enter: 'return' };

// biome-ignore lint/suspicious/noControlCharactersInRegex: keys that write nothing send control characters.
const UNWRITABLE = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Translates a key press into key names. A terminal sends the same bytes for Alt plus a key as for Esc followed by that
 * key. mcpreel binds nothing to Alt, so it reads them as Esc and the key, which may have arrived together.
 */
export function keysFrom(text: string | undefined, pressed: PressedKey): KeyPress[] {
  const { sequence = '', meta = false } = pressed;
  const [first, second, ...others] = sequence;
  const isEscapeAndKey = meta && first === '\u001b' && second !== undefined && second !== first && others.length === 0;
  if (!isEscapeAndKey) return [keyFrom(text, pressed)];
  return [ESCAPE, keyOf(second)];
}

const ESCAPE: KeyPress = { name: 'escape', text: '' };
const NAMED: Readonly<Record<string, string>> = { '\r': 'return', '\n': 'return', '\t': 'tab', '\u007f': 'backspace' };

/** The key that sends this one character. */
function keyOf(char: string): KeyPress {
  const name = NAMED[char];
  if (name !== undefined) return { name, text: '' };
  if (!UNWRITABLE.test(char)) return { name: char, text: char };
  return { name: `ctrl+${String.fromCharCode(char.charCodeAt(0) + 0x60)}`, text: '' };
}

/** The key's name: `up`, `ctrl+s`, `f5`, or the text it types. */
function keyFrom(text: string | undefined, pressed: PressedKey): KeyPress {
  const { sequence = '', name = '', ctrl = false, meta = false } = pressed;
  const written = text ?? sequence;
  if (!ctrl && !meta && written !== '' && !UNWRITABLE.test(written)) return { name: written, text: written };
  const plain = NAMES[name] ?? name;
  // Node reports a lone escape with `meta` set.
  if (plain === 'escape') return ESCAPE;
  return { name: `${ctrl ? 'ctrl+' : ''}${meta ? 'alt+' : ''}${plain}`, text: '' };
}

/** The line after a key that types or deletes text; `undefined` for other keys. */
export function typedInto(line: string, key: KeyPress): string | undefined {
  if (key.name === 'backspace') return [...line].slice(0, -1).join('');
  if (key.name === 'ctrl+u') return '';
  return key.text === '' ? undefined : line + key.text;
}

/** How many rows a key moves, with `page` rows for a page key; `undefined` for other keys. */
export function stepOf(name: string, page: number): number | undefined {
  switch (name) {
    case 'up':
    case 'k':
      return -1;
    case 'down':
    case 'j':
      return 1;
    case 'pageup':
      return -page;
    case 'pagedown':
      return page;
    default:
      return undefined;
  }
}
