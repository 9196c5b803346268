/** What chance decides about one life of a server: how it is reached, when it dies, and who else is at the ledger. */
import type { SeededRandom } from '../seeded-random.ts'
import type { ServerRoute } from './server-process.ts'

/**
 * starting: at a share of the time that starting takes. later: so many milliseconds into the load. answers: as a client
 * reads its so-manieth answer, so that the server is at the next ones.
 */
export type KillMoment =
  | { readonly kind: 'starting'; readonly share: number }
  | { readonly kind: 'later'; readonly ms: number }
  | { readonly kind: 'answers'; readonly count: number }

export interface LifetimePlan {
  /** one server, or two on the same ledger */
  readonly ways: readonly ServerRoute[]
  readonly moment: KillMoment
  /** how long after the first the second one dies */
  readonly apart_ms: number
  /** a connection of ours stays open over the kill and the next start; otherwise the next server finds the ledger alone */
  readonly attached: boolean
  /** dead servers are taken for dead at once, as they would be after the 10 s of their lease */
  readonly lapsed: boolean
  /** approvals are given and the audit is verified by the command line, each in a process of its own */
  readonly byCommand: boolean
}

/** `number` counts the lives on one ledger; `longest_ms` is how far into the load one may get. */
export function drawLifetimePlan(chance: SeededRandom, number: number, longest_ms: number): LifetimePlan {
  const way = (turn: number): ServerRoute => ({
    transport: turn % 2 === 0 ? 'stdio' : 'http',
    era: chance.often(0.5) ? 'modern' : 'legacy',
  })
  const twins = chance.often(0.15)
  return {
    ways: twins ? [way(number), way(number + 1)] : [way(number)],
    moment: drawMoment(chance, number, longest_ms),
    apart_ms: chance.between(0, 60),
    attached: chance.often(0.5),
    lapsed: chance.often(0.6),
    byCommand: chance.often(0.06),
  }
}

/** On a ledger that is not there yet, starting is worth more kills: tables and keys are being made. */
function drawMoment(chance: SeededRandom, number: number, longest_ms: number): KillMoment {
  if (chance.often(number === 0 ? 0.7 : 0.12)) return { kind: 'starting', share: chance.next() * 1.1 }
  // Few answers are few milliseconds, and many are the middle of full load.
  if (chance.often(0.4)) return { kind: 'answers', count: Math.round(2 ** (chance.next() * 10)) }
  return { kind: 'later', ms: chance.between(1, longest_ms) }
}
