import type { BothSides, SessionDiff } from '../../../src/analysis/diff/diff.ts';
import { inOneLine, ReelError } from '../../../src/model/errors.ts';
import type { RecordedSession } from '../../../src/model/session.ts';
import { breath } from '../breath.ts';
import type { Lane } from '../timeline/lane.ts';
import type { Timeline } from '../timeline/timeline.ts';
import { type DiffChoice, type DiffFacts, type DiffSection, factsOfDiff } from './diff-facts.ts';
import type { DiffRow, rowsOfDiff } from './diff-rows.ts';

const NOTHING: SessionDiff = { contract: [], sequence: [], values: [], calls: { a: 0, b: 0 } };

/** Compares lanes, and keeps the result of the last comparison. */
export class DiffQueries {
  readonly #timeline: Timeline;
  #version = 0;
  #diff: SessionDiff = NOTHING;
  #lanes: BothSides<Lane> | undefined;
  #facts: DiffFacts | undefined;
  /** Loaded with the first comparison, because most pages never compare. */
  #rowsOf: typeof rowsOfDiff | undefined;
  /** The comparison that the facts belong to. */
  #about = '';

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  async compare(choice: DiffChoice): Promise<DiffFacts> {
    const [a, b] = [this.#timeline.lanes[choice.a], this.#timeline.lanes[choice.b]];
    if (a === undefined || b === undefined) return factsOfDiff(NOTHING, ++this.#version);
    const about = JSON.stringify([choice, a.entries.length, b.entries.length]);
    const isSame = this.#lanes?.a === a && this.#lanes.b === b && about === this.#about;
    if (isSame && this.#facts !== undefined) return this.#facts;
    const version = ++this.#version;
    try {
      const { diffSessions } = await import('../../../src/analysis/diff/diff.ts');
      const { IgnoreRules } = await import('../../../src/analysis/diff/ignore-rules.ts');
      this.#rowsOf = (await import('./diff-rows.ts')).rowsOfDiff;
      const options = { profile: choice.profile, ignore: new IgnoreRules(choice.rules) };
      const diff = await diffSessions({ a: inTurns(a.session()), b: inTurns(b.session()) }, options);
      const facts = factsOfDiff(diff, version);
      if (version !== this.#version) return facts;
      this.#diff = diff;
      this.#lanes = { a, b };
      this.#facts = facts;
      this.#about = about;
      return facts;
    } catch (error) {
      if (!(error instanceof ReelError)) throw error;
      return { ...factsOfDiff(NOTHING, version), fault: inOneLine(error) };
    }
  }

  rows(section: DiffSection, from: number, to: number): readonly DiffRow[] {
    return this.#lanes === undefined ? [] : (this.#rowsOf?.(this.#diff, section, from, to, this.#lanes) ?? []);
  }
}

/** The same session, read in slices so that queries are answered in between. */
function inTurns(session: RecordedSession): RecordedSession {
  return {
    ...session,
    async *batches() {
      for await (const batch of session.batches()) {
        yield batch;
        await breath();
      }
    },
  };
}
