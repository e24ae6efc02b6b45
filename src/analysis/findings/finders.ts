import { answerIds } from './codes/answer-ids.ts';
import { batches } from './codes/batches.ts';
import { capabilities } from './codes/capabilities.ts';
import { emptySession } from './codes/empty-session.ts';
import { failedCalls } from './codes/failed-calls.ts';
import { gaps } from './codes/gaps.ts';
import { handshake } from './codes/handshake.ts';
import { headers } from './codes/headers.ts';
import { httpAnswers } from './codes/http-answers.ts';
import { httpSessions } from './codes/http-sessions.ts';
import { jsonRpc } from './codes/json-rpc.ts';
import { modernEra } from './codes/modern-era.ts';
import { modernResults } from './codes/modern-results.ts';
import { redirects } from './codes/redirects.ts';
import { requestIds } from './codes/request-ids.ts';
import { secrets } from './codes/secrets.ts';
import { serverExit } from './codes/server-exit.ts';
import { strayOutput } from './codes/stray-output.ts';
import { timeouts } from './codes/timeouts.ts';
import { toolDrift } from './codes/tool-drift.ts';
import { toolSchemas } from './codes/tool-schemas.ts';
import { unfinishedCalls } from './codes/unfinished-calls.ts';
import type { Finder } from './finder.ts';

/** All finders, in the order in which they receive an entry. */
export const FINDERS: readonly Finder[] = [
  jsonRpc,
  strayOutput,
  batches,
  requestIds,
  answerIds,
  unfinishedCalls,
  timeouts,
  serverExit,
  failedCalls,
  handshake,
  modernEra,
  modernResults,
  headers,
  httpSessions,
  capabilities,
  toolSchemas,
  toolDrift,
  httpAnswers,
  redirects,
  secrets,
  gaps,
  emptySession,
];
