import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { reasonOf } from './reason.ts';

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('The reason of a refusal', () => {
  it('is in our words', () => {
    expect(reasonOf(thrownBy(() => readFileSync('/nowhere/x')))).toBe('no such file or folder');
    expect(reasonOf(thrownBy(() => readFileSync('/')))).toBe('it is a folder');
  });

  it('is in those of the system where we have none, without what was called', () => {
    const refused = Object.assign(new Error("EXDEV: cross-device link not permitted, rename '/a' -> '/b'"), {
      code: 'EXDEV',
    });
    expect(reasonOf(refused)).toBe('cross-device link not permitted');
  });

  it('is what an error of our own says', () => {
    expect(reasonOf(new Error('it is a pipe of another user'))).toBe('it is a pipe of another user');
  });
});
