import type { XmlElement } from './xml.ts';

/** What the schema of Ant's JUnit reports asks of an element. */
interface Rule {
  readonly required: Readonly<Record<string, RegExp>>;
  readonly optional?: Readonly<Record<string, RegExp>>;
  /** Its children, each name with a comma behind, in order. */
  readonly children: RegExp;
  readonly hasText?: boolean;
}

const ANY = /^/;
const NUMBER = /^\d+$/;
const DECIMAL = /^\d+(\.\d+)?$/;
/** Not empty once white space is taken away. */
const TOKEN = /\S/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

const RULES: Readonly<Record<string, Rule>> = {
  testsuites: { required: {}, children: /^(testsuite,)*$/ },
  testsuite: {
    required: {
      package: ANY,
      id: NUMBER,
      name: TOKEN,
      timestamp: TIME,
      hostname: TOKEN,
      tests: NUMBER,
      failures: NUMBER,
      errors: NUMBER,
      time: DECIMAL,
    },
    optional: { skipped: NUMBER },
    children: /^properties,(testcase,)*system-out,system-err,$/,
  },
  properties: { required: {}, children: /^(property,)*$/ },
  property: { required: { name: TOKEN, value: ANY }, children: /^$/ },
  testcase: { required: { name: ANY, classname: ANY, time: DECIMAL }, children: /^((skipped|error|failure),)?$/ },
  failure: { required: { type: ANY }, optional: { message: ANY }, children: /^$/, hasText: true },
  error: { required: { type: ANY }, optional: { message: ANY }, children: /^$/, hasText: true },
  'system-out': { required: {}, children: /^$/, hasText: true },
  'system-err': { required: {}, children: /^$/, hasText: true },
};

/** What is wrong with a JUnit report by its strictest schema, and with the numbers that it gives of itself. */
export function junitFaults(root: XmlElement): string[] {
  return root.name === 'testsuites' ? faultsOf(root) : [`The root is ${root.name}`];
}

function faultsOf(element: XmlElement): string[] {
  const { name, attributes, children, text } = element;
  const rule = RULES[name];
  if (rule === undefined) return [`${name} is not known`];
  const known: Readonly<Record<string, RegExp>> = { ...rule.required, ...rule.optional };
  const names = children.map((child) => `${child.name},`).join('');
  return [
    ...Object.keys(rule.required)
      .filter((key) => !attributes.has(key))
      .map((key) => `${name} has no ${key}`),
    ...[...attributes]
      .filter(([key, value]) => known[key]?.test(value) !== true)
      .map(([key, value]) => `${name} has ${key}="${value}"`),
    ...(rule.children.test(names) ? [] : [`${name} has the children ${names}`]),
    ...(rule.hasText || text.trim() === '' ? [] : [`${name} has text`]),
    ...(name === 'testsuite' ? countFaults(element) : []),
    ...children.flatMap(faultsOf),
  ];
}

function countFaults({ attributes, children }: XmlElement): string[] {
  const cases = children.filter(({ name }) => name === 'testcase');
  const failed = cases.filter((test) => test.children.some(({ name }) => name === 'failure'));
  const isRight =
    Number(attributes.get('tests')) === cases.length && Number(attributes.get('failures')) === failed.length;
  return isRight ? [] : ['A suite counts wrongly'];
}
