import { configureGlobal } from 'fast-check';

/**
 * Sets how many inputs each property test tries. `npm test` tries the same 50 inputs every time, so that it cannot fail
 * by chance; `npm run fuzz` sets MCPREEL_PROPERTY_RUNS and tries new ones. A failure prints the seed that reproduces
 * it.
 */
const requested = Number(process.env.MCPREEL_PROPERTY_RUNS ?? 0);

configureGlobal(requested > 0 ? { numRuns: requested } : { numRuns: 50, seed: 20_261_118 });
