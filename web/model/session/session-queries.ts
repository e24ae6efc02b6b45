import { WorkPace } from '../pace.ts';
import type { Lane } from '../timeline/lane.ts';
import type { ExchangeFacts } from './session-exchanges.ts';
import { type SessionSummary, SummarySurvey } from './session-facts.ts';

interface MadeSurvey {
  readonly entries: number;
  readonly state: Lane['state'];
  readonly survey: Promise<SummarySurvey>;
}

/** Answers queries about whole sessions. It summarizes a lane on demand, and again when the lane has grown. */
export class SessionQueries {
  readonly #now: () => number;
  readonly #made = new WeakMap<Lane, MadeSurvey>();

  constructor(now: () => number) {
    this.#now = now;
  }

  async facts(lane: Lane): Promise<SessionSummary> {
    return (await this.#surveyOf(lane)).facts();
  }

  async exchanges(lane: Lane, from: number, to: number): Promise<readonly ExchangeFacts[]> {
    return (await this.#surveyOf(lane)).exchanges(from, to);
  }

  #surveyOf(lane: Lane): Promise<SummarySurvey> {
    const known = this.#made.get(lane);
    if (known?.entries === lane.entries.length && known.state === lane.state) return known.survey;
    const survey = new SummarySurvey(lane).look(new WorkPace(this.#now));
    this.#made.set(lane, { entries: lane.entries.length, state: lane.state, survey });
    return survey;
  }
}
