/** A key as it was pressed: by its name, and by the text that it writes, if it writes any. */
export interface Key {
  readonly name: string;
  readonly text: string;
}

/** What Node tells of a key. */
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

/** A key in our words: `up`, `ctrl+s`, `f5`, or what it writes. */
export function keyFrom(text: string | undefined, pressed: PressedKey): Key {
  const { sequence = '', name = '', ctrl = false, meta = false } = pressed;
  const written = text ?? sequence;
  if (!ctrl && !meta && written !== '' && !UNWRITABLE.test(written)) return { name: written, text: written };
  const plain = NAMES[name] ?? name;
  // A lone escape is told with meta.
  if (plain === 'escape') return { name: 'escape', text: '' };
  return { name: `${ctrl ? 'ctrl+' : ''}${meta ? 'alt+' : ''}${plain}`, text: '' };
}

/** A line after a key that writes in it; `undefined` for one that does not. */
export function typedInto(line: string, key: Key): string | undefined {
  if (key.name === 'backspace') return [...line].slice(0, -1).join('');
  if (key.name === 'ctrl+u') return '';
  return key.text === '' ? undefined : line + key.text;
}
