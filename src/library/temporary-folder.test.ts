import { expect, it } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

it.each([
  ['linux', 'TMPDIR'],
  ['win32', 'TEMP'],
])('names the variable for temporary folders of %s where none can be made', (platform, variable) => {
  expect(() => temporaryFolder('/no/such/folder', platform)).toThrow(
    expect.objectContaining({ hint: `Set ${variable} to a folder that can be written to.` }),
  );
});
