/**
 * `npm run test:crash -- shop`: kills the process that runs the shop until it has done so `--kills N` times. `--seed S` repeats the
 * decisions of an earlier time. The last line is `shop: N kills, L lost, D doubled`; exits 1 unless nothing was.
 */
import { crashShop } from './crash-test.ts'

const PROGRESS_MS = 10_000

export interface ShopCrashOptions {
  readonly kills: number
  readonly seed: number
}

export async function runShop({ kills, seed }: ShopCrashOptions, print: (line: string) => void): Promise<boolean> {
  const started = performance.now()
  const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(0)} s`
  let printed = started
  const onProgress = (done: number): void => {
    if (performance.now() - printed < PROGRESS_MS) return
    printed = performance.now()
    print(`${seconds()}: ${done} kills`)
  }
  const { tally, failures, problem, ...found } = await crashShop({
    kills,
    seed,
    killsPerShop: 30,
    sweeps: true,
    onProgress,
  })
  print(
    `${seconds()}: ${found.kills} kills cut into ${tally.cut} of ${tally.runs} runs; ${tally.takenOver} had several leaders, ` +
      `${tally.rivals} came too late for a customer, ${tally.refusedTalks} met a supplier that had had enough`,
  )
  print(
    `${seconds()}: ${tally.forms} order forms, ${tally.shipped} orders sent, ${tally.answered} tickets answered, ` +
      `${tally.quotes} quotes, ${tally.pages} pages, ${tally.campaigns} campaigns`,
  )
  for (const why of new Set(failures.map((said) => said.split('\n')[0])))
    print(`a leader said, and it was made good: ${why}`)
  if (problem !== undefined) print(`seed ${seed}: ${problem}`)
  print(`shop: ${found.kills} kills, ${found.lost} lost, ${found.doubled} doubled`)
  return problem === undefined
}
