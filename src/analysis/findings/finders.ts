import { answerIds } from './answer-ids.ts';
import { batches } from './batches.ts';
import { capabilities } from './capabilities.ts';
import { failedCalls } from './failed-calls.ts';
import type { Finder } from './finder.ts';
import { gaps } from './gaps.ts';
import { handshake } from './handshake.ts';
import { headers } from './headers.ts';
import { httpAnswers } from './http-answers.ts';
import { httpSessions } from './http-sessions.ts';
import { jsonRpc } from './json-rpc.ts';
import { modernEra } from './modern-era.ts';
import { requestIds } from './request-ids.ts';
import { secrets } from './secrets.ts';
import { strayOutput } from './stray-output.ts';
import { toolDrift } from './tool-drift.ts';
import { toolSchemas } from './tool-schemas.ts';
import { unfinishedCalls } from './unfinished-calls.ts';

/** Every finder, in the order in which they look at an entry. */
export const FINDERS: readonly Finder[] = [
  jsonRpc,
  strayOutput,
  batches,
  requestIds,
  answerIds,
  unfinishedCalls,
  failedCalls,
  handshake,
  modernEra,
  headers,
  httpSessions,
  capabilities,
  toolSchemas,
  toolDrift,
  httpAnswers,
  secrets,
  gaps,
];
