/**
 * The only checks that are ignored, each by name and with its reason. There is no list of expected failures: an entry
 * contradicts the specification, is optional in it, or has nothing to check. An entry that no longer
 * applies fails the run, so the lists cannot outlive their reasons.
 */

export interface Exception {
  readonly scenario: string
  /** one check of the scenario; without it the whole scenario is left out */
  readonly check?: string
  /** where the specification says so, in its words */
  readonly passage: string
}

export const EXCEPTIONS: readonly Exception[] = []

/** Scenarios that cannot have a successful check, on any server. */
export const SCENARIOS_WITHOUT_CHECKS: ReadonlyMap<string, string> = new Map([
  [
    'tasks-status-notifications',
    'Its run returns one SKIPPED check without a request to the server, "pending subscriptions/listen rewrite".',
  ],
])
