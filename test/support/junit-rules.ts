import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { validateXML } from 'xmllint-wasm';
import { parseXml, type XmlElement } from './xml.ts';

/** The schema of Ant's JUnit task, the strictest one available. */
const path = createRequire(import.meta.url).resolve('jest-junit-reporter/src/__tests__/fixtures/junit.xsd');
const schema = readFileSync(path, 'utf8');

/** The schema errors in JUnit reports, and the counts that do not match their content. */
export async function junitFaults(...reports: readonly string[]): Promise<string[]> {
  const { valid, errors } = await validateXML({ xml: reports, schema });
  return valid
    ? reports.flatMap((report) => countFaults(parseXml(report)))
    : errors.map(({ rawMessage }) => rawMessage);
}

function countFaults({ children }: XmlElement): string[] {
  return children
    .filter((suite) => !countsRight(suite))
    .map(({ attributes }) => `${attributes.get('name')} counts wrongly`);
}

function countsRight({ attributes, children }: XmlElement): boolean {
  const cases = children.filter(({ name }) => name === 'testcase');
  const failed = cases.filter((test) => test.children.some(({ name }) => name === 'failure'));
  return Number(attributes.get('tests')) === cases.length && Number(attributes.get('failures')) === failed.length;
}
