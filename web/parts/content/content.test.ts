import { describe, expect, it } from 'vitest';
import { bytesKind, decodeBase64, fileNameFor, safeType } from './bytes.ts';
import { webAddress } from './inert-link.tsx';
import { textHead, textPieces } from './text-pieces.ts';

describe('a long text in pieces', () => {
  it('is the same text when they are joined, and never cuts a character', () => {
    const text = `${'😀'.repeat(50)}\n${'a'.repeat(30)}\n${'b\n'.repeat(40)}`;
    for (const length of [1, 2, 3, 7, 16, 1000]) {
      const pieces = textPieces(text, length);
      expect(pieces.map((piece) => piece.text).join('')).toBe(text);
      expect(pieces.some((piece) => /\p{Surrogate}/u.test(piece.text))).toBe(false);
      expect(pieces.every((piece) => text.startsWith(piece.text, piece.at))).toBe(true);
    }
  });

  it('ends at a line break where one is near', () => {
    expect(textPieces('aaaaaaa\nbbbb\ncccc', 10).map((piece) => piece.text)).toEqual(['aaaaaaa\n', 'bbbb\ncccc']);
  });

  it('has a head that is whole', () => {
    expect(textHead('a😀b', 2)).toBe('a😀');
    expect(textHead('abc', 5)).toBe('abc');
  });
});

describe('bytes', () => {
  it('are a picture or a sound only if their type is one that nothing is run for', () => {
    const types = [
      'image/png',
      'IMAGE/JPEG; q=1',
      'image/svg+xml',
      'audio/mpeg',
      'text/html',
      'image/x-evil',
      '',
      'video/mp4',
    ];
    expect(types.map(bytesKind)).toEqual(['image', 'image', 'image', 'audio', 'other', 'other', 'other', 'other']);
    expect(types.map(safeType).filter((type) => type === 'application/octet-stream')).toHaveLength(4);
  });

  it('are saved under a name that says what they are and nothing else', () => {
    expect(fileNameFor('application/zip')).toBe('content.zip');
    expect(fileNameFor('../../etc/passwd')).toBe('content.bin');
  });

  it('come from base64, or not at all', () => {
    expect(decodeBase64('AAEC')).toEqual(new Uint8Array([0, 1, 2]));
    expect(decodeBase64('not base64!')).toBeUndefined();
  });
});

describe('an address from somewhere else', () => {
  it('leads only to the web', () => {
    expect(webAddress('HTTPS://Example.com')).toBe('https://example.com/');
    for (const uri of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '/relative', '']) {
      expect(webAddress(uri)).toBeUndefined();
    }
  });
});
