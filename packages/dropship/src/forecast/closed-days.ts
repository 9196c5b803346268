/**
 * Days on which nothing could be sold, for example because sales were paused. They tell nothing about demand, but they recur.
 * Models learn from the open days; their forecasts are multiplied by the probability that a day is open.
 */
import type { Series } from './model.ts'

/** If more days than this share sell nothing anyway, a run of such days proves nothing. */
const MAX_EMPTY_SHARE = 0.2
/** A run counts as closed if at most this share of series would have one by chance. */
const BY_CHANCE = 0.01

/** Marks runs of days without a sale that chance does not explain. */
export function closedDays(series: Series): boolean[] {
  const runs = emptyRuns(series)
  const sold = series.length - runs.reduce((sum, { length }) => sum + length, 0)
  // the share of days with sales that were followed by a day without
  const chance = (runs.length + 0.5) / (sold + 1)
  const closed = new Array<boolean>(series.length).fill(false)
  if (chance > MAX_EMPTY_SHARE) return closed
  for (const { from, length } of runs)
    if (series.length * chance ** length < BY_CHANCE) closed.fill(true, from, from + length)
  return closed
}

function emptyRuns(series: Series): { from: number; length: number }[] {
  const runs: { from: number; length: number }[] = []
  for (let i = 0; i < series.length; i++) {
    if (series[i] !== 0) continue
    const last = runs.at(-1)
    if (last && last.from + last.length === i) last.length++
    else runs.push({ from: i, length: 1 })
  }
  return runs
}

/** The series as if always open: a closed day sells as much as the same weekday of the week before. */
export function fillClosedDays(series: Series, closed: readonly boolean[], season: number): Float64Array {
  const values = Float64Array.from(series)
  const firstOpen = closed.indexOf(false)
  closed.forEach((shut, i) => {
    if (!shut) return
    const alike = i >= season ? i - season : closed.findIndex((other, k) => !other && k % season === i % season)
    values[i] = values[alike < 0 ? firstOpen : alike] as number
  })
  return values
}

/**
 * The probability of being open 1, 2, … days after each origin, from what was known there: whether it was open, and how often
 * earlier days changed between open and closed (a two-state Markov chain with one day added to each count).
 */
export function openProbabilities(
  closed: readonly boolean[],
  origins: readonly number[],
  horizon: number,
): Float64Array[] {
  const days = { open: 0, shut: 0 }
  const turns = { open: 0, shut: 0 }
  const always = !closed.includes(true)
  let at = 1
  return origins.map((origin) => {
    for (; at < origin; at++) {
      const before = closed[at - 1] ? 'shut' : 'open'
      days[before]++
      if (closed[at] !== closed[at - 1]) turns[before]++
    }
    const path = new Float64Array(horizon).fill(1)
    if (always || !closed.slice(0, origin).includes(true)) return path
    const shuts = turns.open / (days.open + 1)
    const opens = (turns.shut + 1) / (days.shut + 1)
    const usual = opens / (opens + shuts)
    const kept = 1 - opens - shuts
    let away = (closed[origin - 1] ? 0 : 1) - usual
    return path.map(() => {
      away *= kept
      return usual + away
    })
  })
}
