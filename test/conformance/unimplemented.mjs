const TASKS = 'the fixture has no tasks: an optional extension, which SDK 2.4 leaves to its users';

/** Scenarios that the fixture does not implement, with the reason. They must fail the same way through mcpreel. */
export const UNIMPLEMENTED = new Map([
  ['tasks-lifecycle', TASKS],
  ['tasks-capability-negotiation', TASKS],
  ['tasks-wire-fields', TASKS],
  ['tasks-request-state-removal', TASKS],
  ['tasks-mrtr-input', TASKS],
  ['tasks-request-headers', TASKS],
  ['tasks-dispatch-and-envelope', TASKS],
  ['tasks-required-task-error', TASKS],
  ['tasks-mrtr-composition', TASKS],
]);
