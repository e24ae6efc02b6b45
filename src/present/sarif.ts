import { numberText } from '../model/message-number.ts';

/** A kind of finding. */
export interface SarifRule {
  readonly id: string;
  readonly description: string;
  readonly helpUri?: string | undefined;
}

export type SarifLevel = 'error' | 'warning' | 'note';

/** One finding. */
export interface SarifResult {
  readonly ruleId: string;
  readonly level: SarifLevel;
  readonly message: string;
  /** The path of the recording as the user gave it; absent for findings that no single recording shows. */
  readonly file: string | undefined;
  /** The sequences of the messages that show the finding. */
  readonly sequences: readonly number[];
}

export interface SarifReport {
  readonly version: string;
  readonly rules: readonly SarifRule[];
  readonly results: readonly SarifResult[];
  /** Recordings that could not be checked, with the reason. */
  readonly failures: readonly string[];
}

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** Formats a report as a SARIF 2.1.0 log with one run. */
export function sarifLog({ version, rules, results, failures }: SarifReport): string {
  const driver = { name: 'mcpreel', version, rules: rules.map(ruleObject) };
  const ruleIndexes = new Map(rules.map(({ id }, index) => [id, index]));
  const run = {
    tool: { driver },
    invocations: [
      {
        executionSuccessful: failures.length === 0,
        toolExecutionNotifications: failures.map((text) => ({ level: 'error', message: { text } })),
      },
    ],
    columnKind: 'utf16CodeUnits',
    results: results.map((result) => resultObject(result, ruleIndexes)),
  };
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, undefined, 2)}\n`;
}

function ruleObject({ id, description, helpUri }: SarifRule): object {
  return { id, shortDescription: { text: description }, ...(helpUri !== undefined && { helpUri }) };
}

function resultObject({ ruleId, level, message, file, sequences }: SarifResult, rules: Map<string, number>): object {
  const ruleIndex = rules.get(ruleId);
  return {
    ruleId,
    ...(ruleIndex !== undefined && { ruleIndex }),
    level,
    message: { text: message },
    ...(file !== undefined && { locations: [locationObject(file, sequences)] }),
    properties: { messages: sequences },
  };
}

/** SARIF viewers require a line. Recordings have messages instead, which are listed as logical locations. */
function locationObject(file: string, sequences: readonly number[]): object {
  const logicalLocations = [...new Set(sequences)].map((sequence) => ({
    name: numberText(sequence),
    fullyQualifiedName: `${file}#${sequence}`,
    kind: 'message',
  }));
  return {
    physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: 1 } },
    ...(logicalLocations.length > 0 && { logicalLocations }),
  };
}

/** Converts a path to a URI; a relative path stays relative. */
function uriOf(path: string): string {
  const windows = /^[A-Za-z]:[\\/]/.test(path);
  const parts = (windows ? path.replaceAll('\\', '/') : path)
    .split('/')
    .map((part) => encodeURIComponent(wellFormed(part)));
  const encoded = parts.join('/');
  if (windows) return `file:///${encoded.replace('%3A', ':')}`;
  return path.startsWith('/') ? `file://${encoded}` : encoded;
}

/** Lone surrogates cannot be encoded. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\ufffd');
}
