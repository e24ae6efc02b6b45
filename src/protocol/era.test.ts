import { describe, expect, it } from 'vitest';
import { isModern, isModernRevision } from './era.ts';

const CLAIM = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}';

describe('isModern', () => {
  it.each([
    `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{${CLAIM}}}`,
    ` {"method":"notifications/x","params":{"a":[1],${CLAIM}},"jsonrpc":"2.0"} `,
    `{"id":1,"method":"tools/list","params":{${CLAIM.replace('/', '\\/')}}}`,
    `{"id":1,"method":"a","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":7}}}`,
  ])('accepts %s', (text) => {
    expect(isModern(text)).toBe(true);
  });

  it.each([
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}',
    '{"jsonrpc":"2.0","id":1,"method":"a"}',
    `{"id":1,"method":"a",${CLAIM}}`,
    `{"id":1,"method":"a","params":{"x":{${CLAIM}}}}`,
    `{"id":1,"method":"a","params":[{${CLAIM}}]}`,
    '{"id":1,"method":"a","params":{"_meta":{"io.modelcontextprotocol/clientInfo":{}}}}',
    '{"id":1,"method":"a","params":{"text":"io.modelcontextprotocol/protocolVersion"}}',
    `{"id":1,"params":{${CLAIM}}}`,
    `{"id":1,"result":{${CLAIM}}}`,
    `{"id":1,"method":"a","params":{${CLAIM}}`,
    '',
  ])('rejects %s', (text) => {
    expect(isModern(text)).toBe(false);
  });
});

describe('isModernRevision', () => {
  it.each([
    ['2026-07-28', true],
    ['2027-01-01', true],
    ['DRAFT-2027-v1', true],
    ['2025-11-25', false],
    ['', false],
  ])('classifies %j as a revision without a handshake: %j', (revision, isWithout) => {
    expect(isModernRevision(revision)).toBe(isWithout);
  });
});

it('does not take a redacted revision for a new one', () => {
  expect(isModernRevision('[REDACTED:pattern:00112233]')).toBe(false);
  expect(isModernRevision('DRAFT-2026-v1')).toBe(true);
});
