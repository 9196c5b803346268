/**
 * The ids of a step's calls: `s4` itself, `s4~2` for its second try with other arguments, `s4/undo` for its undo. The last two
 * are never ids of a plan.
 */
export const revisionOf = (step: string): string => `${step}~2`
export const undoOf = (step: string): string => `${step}/undo`
export const isUndo = (id: string): boolean => id.endsWith('/undo')
export const isRevision = (id: string): boolean => id.endsWith('~2')

/** The step of the plan behind any of them. */
export const planStepOf = (id: string): string => id.replace(/\/undo$/, '').replace(/~2$/, '')

export const idempotencyKeyOf = (run: string, id: string): string => `run:${run}/${id}`
