/** Grades changed definitions of upstreams against the definitions that were decided about, as the ledger stored them. */
import type { TrustRow } from '../../ledger/decisions/trust.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { LedgerError } from '../../ledger/ledger-error.ts'
import { type ChangeGrade, cachedGrade, type GradeBudget, type GradedChange } from '../../tool/grade/grade-change.ts'
import type { Tool } from '../../tool/tool.ts'
import { type ToolBody, toolBody } from '../../tool/verify/verify-tool.ts'
import type { AcceptedGrade } from '../settings.ts'

const ACCEPTED: Readonly<Record<AcceptedGrade, readonly ChangeGrade[]>> = {
  none: [],
  harmless: ['harmless'],
  wider: ['harmless', 'wider'],
}

export const acceptsGrade = (accepted: AcceptedGrade, grade: ChangeGrade): boolean => ACCEPTED[accepted].includes(grade)

export class ChangeGrader {
  readonly #ledger: Ledger
  readonly #budget: GradeBudget

  constructor(ledger: Ledger, budget: GradeBudget) {
    this.#ledger = ledger
    this.#budget = budget
  }

  /** Undefined if the decided definition is not stored any more, or was altered there. */
  async grade(tool: Tool, { hash }: TrustRow): Promise<GradedChange | undefined> {
    const body = await storedBody(this.#ledger, tool.name, hash)
    if (body === undefined) return undefined
    const graded = cachedGrade({ hash, body }, { hash: tool.hash, body: toolBody(tool) }, this.#budget)
    // Comparing may have taken milliseconds.
    await new Promise(setImmediate)
    return graded
  }
}

/** Undefined also if the stored text does not have the hash that was decided about. The operator's list reports that. */
export async function storedBody(ledger: Ledger, name: string, hash: string): Promise<ToolBody | undefined> {
  try {
    const stored = (await ledger.trust.definitions(name)).find((one) => one.hash === hash)
    return stored && (JSON.parse(stored.body) as ToolBody)
  } catch (thrown) {
    if (thrown instanceof LedgerError) return undefined
    throw thrown
  }
}
