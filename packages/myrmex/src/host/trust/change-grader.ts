/** Grades changed definitions of upstreams against the definitions that were decided about, as the ledger stored them. */
import type { TrustRow } from '../../ledger/decisions/trust-row.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { LedgerError } from '../../ledger/ledger-error.ts'
import { canonical } from '../../protocol/canonical.ts'
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

  /**
   * Whether the definition is the stored one, except that the operator's file now says that it changes nothing. The server says what it
   * said then.
   */
  async isNowHarmlessByFile(tool: Tool, { hash }: TrustRow): Promise<boolean> {
    if (tool.destructive) return false
    const before = await storedBody(this.#ledger, tool.name, hash)
    if (before?.destructive !== true || before.listing === undefined) return false
    const after = toolBody(tool)
    return saidByServer(before) === saidByServer(after)
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

/** What the host takes from the operator's file, and from what the server as a whole can do, is left out. */
const saidByServer = ({ destructive: _, timeout: __, task: ___, ...body }: ToolBody): string => canonical(body)

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
