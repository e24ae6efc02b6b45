/** Runs one scenario to its end. A scenario that throws has failed. */
export async function runScenario(scenario, options) {
  try {
    return await scenario.run(options);
  } catch (error) {
    const faults = [`it could not be run to its end: ${error.stack}`];
    return { injected: scenario.injects, held: [], faults, lost: 0, ok: false };
  }
}
