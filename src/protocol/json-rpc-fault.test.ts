import { expect, it } from 'vitest';
import { jsonRpcFault } from './json-rpc-fault.ts';

it('does not judge the redacted code of an error', () => {
  const answer = (code: string): string => `{"jsonrpc":"2.0","id":1,"error":{"code":${code},"message":""}}`;
  expect(jsonRpcFault(answer('"[REDACTED:pattern:00112233]"'))).toBeUndefined();
  expect(jsonRpcFault(answer('"x"'))).toContain('whole "code"');
});
