/** The names of the operator's files. They are read from the folder of a command if no other file is named. */
export const RULES_FILES = { policy: 'myrmex.policy.json', constitution: 'myrmex.constitution.json' } as const

/** Of a host and of a fleet. */
export const CONFIGURATION_FILES = ['myrmex.json', 'myrmex.fleet.json'] as const
