/** Which server fails in which way in each round: every way occurs, in a random order that the same random seed repeats. */
import { SeededRandom } from '../seeded-random.ts'
import { CRASHES, type Disruption, HANGS } from './disrupt.ts'

export interface Round {
  readonly crashes: number
  readonly hangs: number
}

/** Each victim's own list, for each round. */
export function planned(rounds: readonly Round[], victims: number, seed: number): Disruption[][][] {
  return rounds.map(({ crashes, hangs }, round) => {
    const ways: Disruption[] = [
      ...Array.from({ length: crashes }, (_, number) => CRASHES[number % CRASHES.length] as Disruption),
      ...Array.from({ length: hangs }, (_, number) => HANGS[number % HANGS.length] as Disruption),
    ]
    const mixed = new SeededRandom(seed, round).some(ways, ways.length)
    return Array.from({ length: victims }, (_, victim) => mixed.filter((_way, number) => number % victims === victim))
  })
}

/** So many in all, as evenly as can be. */
export function split({ crashes, hangs }: Round, rounds: number): Round[] {
  const share = (all: number, round: number): number =>
    Math.floor((all * (round + 1)) / rounds) - Math.floor((all * round) / rounds)
  return Array.from({ length: rounds }, (_, round) => ({
    crashes: share(crashes, round),
    hangs: share(hangs, round),
  }))
}
