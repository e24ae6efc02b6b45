import { describe, expect, it } from 'vitest';
import { capabilityNames, implementationName } from './capability-names.ts';

describe('capability and implementation names', () => {
  it.each([
    ['{"tools":{"listChanged":true},"prompts":{},"logging":{}}', 'tools listChanged, prompts, logging'],
    ['{"resources":{"subscribe":true,"listChanged":false}}', 'resources subscribe'],
    ['{}', 'none'],
    ['7', '7'],
  ])('summarizes capabilities: %s', (text, words) => {
    expect(capabilityNames(text)).toBe(words);
  });

  it.each([
    ['{"name":"everything","version":"1.2"}', 'everything 1.2'],
    ['{"name":"everything","title":"Everything","version":"1.2"}', 'Everything (everything) 1.2'],
    ['{"name":5}', '{"name":5}'],
  ])('formats the name of an implementation: %s', (text, name) => {
    expect(implementationName(text)).toBe(name);
  });
});
