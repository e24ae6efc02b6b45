/** Runs one scenario to its end. One that fails by itself has not held. */
export async function runScenario(scenario, options) {
  try {
    return await scenario.run(options);
  } catch (error) {
    const faults = [`it could not be run to its end: ${error.stack}`];
    return { injected: scenario.injects, held: [], faults, lost: 0, ok: false };
  }
}
