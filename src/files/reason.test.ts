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

describe('reasonOf', () => {
  it('describes common system errors in plain words', () => {
    expect(reasonOf(thrownBy(() => readFileSync('/nowhere/x')))).toBe('no such file or folder');
    expect(reasonOf(thrownBy(() => readFileSync('/')))).toBe('is a folder');
  });

  it('uses the system message for other errors, without the system call and its paths', () => {
    const refused = Object.assign(new Error("EXDEV: cross-device link not permitted, rename '/a' -> '/b'"), {
      code: 'EXDEV',
    });
    expect(reasonOf(refused)).toBe('cross-device link not permitted');
  });

  it('returns the message of an error without a code', () => {
    expect(reasonOf(new Error('it is a pipe owned by another user'))).toBe('it is a pipe owned by another user');
  });
});
