import { describe, expect, it } from 'vitest';
import { createRedactor } from '../redactor.ts';

const SECRET = 'Qz1v8Kx3LmW9';
const ITEMS = [
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { database: SECRET } },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' }, data: { mode: 'production' } },
];
const YAML = `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Secret
  metadata:
    ownerReferences:
    - apiVersion: apps/v1
      kind: Deployment
  data:
    database: ${SECRET}
- apiVersion: v1
  kind: ConfigMap
  data:
    mode: production
`;

function redact(value: unknown): string {
  const text = JSON.stringify(value);
  const entry = createRedactor({ mode: 'secrets', salt: 's' }).entry({ kind: 'other', type: undefined, atMs: 0, text });
  return entry.kind === 'other' ? entry.text : '';
}

describe('the data of a Kubernetes manifest', () => {
  it.each([YAML, { kind: 'List', items: ITEMS }, { kind: 'List', items: ITEMS.toReversed() }])(
    'is removed from a Secret and kept in a ConfigMap beside it: %j',
    (value) => {
      const redacted = redact(value);
      expect(redacted).not.toContain(SECRET);
      expect(redacted.replace(/\[REDACTED:[a-z-]+:[0-9a-f]{8}\]/, SECRET)).toBe(JSON.stringify(value));
    },
  );
});
