import { describe, expect, it } from 'vitest';
import { StatusLine } from './status-line.ts';

const ERASE = '\r\u001b[2K';

/** A status line on a terminal, and the output it wrote. */
function lineOn({ columns = 80, showsResults = true } = {}) {
  const written: string[] = [];
  let received: (() => void) | undefined;
  const write = (text: string): boolean => written.push(text) > 0;
  const line = new StatusLine(
    { write, columns },
    {
      showsResults,
      onInterrupt: (receive) => {
        received = receive;
        return () => {
          received = undefined;
        };
      },
    },
  );
  return { line, written, listener: () => received };
}

describe('StatusLine', () => {
  it('overwrites the previous text, and writes the same text only once', () => {
    const { line, written } = lineOn();
    line.show('one');
    line.show('one');
    line.show('two');
    expect(written).toEqual([`${ERASE}one`, `${ERASE}two`]);
  });

  it('erases its text, and writes nothing if no text is visible', () => {
    const { line, written } = lineOn();
    line.clear();
    line.show('one');
    line.clear();
    line.clear();
    expect(written).toEqual([`${ERASE}one`, ERASE]);
  });

  it.each(['stdout', 'stderr'] as const)('clears itself before output to %s', (where) => {
    const { line, written } = lineOn();
    line.show('one');
    line.makeWay(where, 'said\n');
    expect(written).toEqual([`${ERASE}one`, ERASE]);
    line.show('one');
    expect(written).toHaveLength(3);
  });

  it('stays visible if stdout is redirected to a file', () => {
    const { line, written } = lineOn({ showsResults: false });
    line.show('one');
    line.makeWay('stdout', 'half a line');
    line.show('two');
    expect(written).toEqual([`${ERASE}one`, `${ERASE}two`]);
    expect(line.results).toBe(0);
  });

  it.each([
    ['text', 'half a line', 'its end\n'],
    ['bytes', Buffer.from('half a line'), Buffer.from('its end\n')],
  ])('does not overwrite an incomplete line of output, as %s', (_, half, end) => {
    const { line, written } = lineOn();
    line.makeWay('stdout', half);
    line.show('one');
    line.makeWay('stdout', '');
    line.show('one');
    expect(written).toEqual([]);
    line.makeWay('stdout', end);
    line.show('one');
    expect(written).toEqual([`${ERASE}one`]);
    expect(line.results).toBe(3);
  });

  it('clears itself on an interrupt, and listens for one only while visible', () => {
    const { line, written, listener } = lineOn();
    expect(listener()).toBeUndefined();
    line.show('one');
    line.show('two');
    listener()?.();
    expect(written.at(-1)).toBe(ERASE);
    expect(listener()).toBeUndefined();
  });

  it('leaves the last column free, and assumes 80 columns if the width is unknown', () => {
    expect(lineOn({ columns: 40 }).line.width).toBe(39);
    expect(lineOn({ columns: 0 }).line.width).toBe(79);
  });
});
