/** A PNG with one transparent pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A WAV file without samples. */
export const WAV = Buffer.concat([
  Buffer.from('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0', 'latin1'),
  Buffer.from('401f0000803e000002001000', 'hex'),
  Buffer.from('data\0\0\0\0', 'latin1'),
]).toString('base64');

/** A result with one text. */
export const text = (what) => ({ content: [{ type: 'text', text: what }] });
