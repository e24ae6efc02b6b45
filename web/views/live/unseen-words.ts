import { unseenIn } from '../../../src/present/visible-text.ts';
import { counted, formatCount } from '../../state/times.ts';

/** Names of characters that are known to reverse text or to hide in it. */
const NAMES: Readonly<Record<string, string>> = {
  'U+00AD': 'soft hyphen',
  'U+200B': 'zero width space',
  'U+200C': 'zero width non-joiner',
  'U+200D': 'zero width joiner',
  'U+200E': 'left-to-right mark',
  'U+200F': 'right-to-left mark',
  'U+202A': 'left-to-right embedding',
  'U+202B': 'right-to-left embedding',
  'U+202C': 'pop directional formatting',
  'U+202D': 'left-to-right override',
  'U+202E': 'right-to-left override',
  'U+2066': 'left-to-right isolate',
  'U+2067': 'right-to-left isolate',
  'U+2068': 'first strong isolate',
  'U+2069': 'pop directional isolate',
  'U+FEFF': 'byte order mark',
};
const MAX_NAMED = 8;

/** Lists the invisible characters in a text with their counts; an empty text without any. */
export function formatUnseen(text: string): string {
  const found = [...unseenIn(text)].sort(([, a], [, b]) => b - a);
  if (found.length === 0) return '';
  const total = found.reduce((sum, [, count]) => sum + count, 0);
  const named = found.slice(0, MAX_NAMED).map(([code, count]) => `${formatCount(count)} × ${withName(code)}`);
  const others = found.length - named.length;
  const rest = others > 0 ? [counted(others, 'more kind')] : [];
  return `! ${counted(total, 'unseen character')} in it: ${[...named, ...rest].join(', ')}.`;
}

function withName(code: string): string {
  const name = NAMES[code];
  return name === undefined ? code : `${code} (${name})`;
}
