import { describe, expect, it } from 'vitest';
import { bytesKind, decodeBase64, fileNameFor, safeType } from './bytes.ts';
import { webAddress } from './inert-link.tsx';
import { textPieces } from './text-pieces.ts';

describe('splitting a long text', () => {
  it('produces pieces that join to the same text and never cut a character', () => {
    const text = `${'😀'.repeat(50)}\n${'a'.repeat(30)}\n${'b\n'.repeat(40)}`;
    for (const length of [1, 2, 3, 7, 16, 1000]) {
      const pieces = textPieces(text, length);
      expect(pieces.map((piece) => piece.text).join('')).toBe(text);
      expect(pieces.some((piece) => /\p{Surrogate}/u.test(piece.text))).toBe(false);
      expect(pieces.every((piece) => text.startsWith(piece.text, piece.at))).toBe(true);
    }
  });

  it('ends a piece at a line break if one is near', () => {
    expect(textPieces('aaaaaaa\nbbbb\ncccc', 10).map((piece) => piece.text)).toEqual(['aaaaaaa\n', 'bbbb\ncccc']);
  });
});

describe('binary content', () => {
  it('treats bytes as an image or audio only if their type cannot run code', () => {
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

  it('saves bytes under a name that depends only on their type', () => {
    expect(fileNameFor('application/zip')).toBe('content.zip');
    expect(fileNameFor('../../etc/passwd')).toBe('content.bin');
  });

  it('decodes base64, and returns nothing for invalid base64', () => {
    expect(decodeBase64('AAEC')).toEqual(new Uint8Array([0, 1, 2]));
    expect(decodeBase64('not base64!')).toBeUndefined();
  });
});

describe('webAddress', () => {
  it('accepts only web URLs', () => {
    expect(webAddress('HTTPS://Example.com')).toBe('https://example.com/');
    for (const uri of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '/relative', '']) {
      expect(webAddress(uri)).toBeUndefined();
    }
  });
});
