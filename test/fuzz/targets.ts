import { findsOf } from './seeds.ts';
import type { Target } from './target.ts';
import { analysisTargets } from './targets/analysis.ts';
import { eventTargets } from './targets/events.ts';
import { filterTargets } from './targets/filter.ts';
import { httpTargets } from './targets/http.ts';
import { jsonTargets } from './targets/json.ts';
import { lineTargets } from './targets/lines.ts';
import { liveTargets } from './targets/live.ts';
import { messageTargets } from './targets/messages.ts';
import { readerTargets } from './targets/readers.ts';
import { redactTargets } from './targets/redact.ts';
import { ruleTargets } from './targets/rules.ts';
import { wordTargets } from './targets/words.ts';

/** All fuzz targets. Earlier finds are among the seeds of each. */
export const targets: readonly Target[] = [
  ...[...readerTargets, ...jsonTargets, ...lineTargets, ...eventTargets, ...messageTargets],
  ...[...httpTargets, ...filterTargets, ...ruleTargets, ...redactTargets, ...analysisTargets, ...wordTargets],
  ...liveTargets,
].map((target) => ({
  ...target,
  seeds: () => [...target.seeds(), ...findsOf(target.name).map(({ input }) => input)],
}));
