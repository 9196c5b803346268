/**
 * `npm run soak`: ten minutes of mixed load on a real host, or `--minutes N`. `--seed S` makes the same choices again. Prints what happened and what the
 * host held after each round. Exits 1 if memory or handles grow, an answered call has no audit record or two, the journal does not verify, or a healthy
 * server lost a call.
 */
import { parseArgs } from 'node:util'
import type { HeldResources } from '@myrmex/testing/measure-process'
import { soak } from './soak.ts'

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
})
const minutes = Number(values.minutes)
if (!(minutes > 0)) throw new Error(`--minutes must be a number above 0, not ${values.minutes}`)
const seed = Number(values.seed)
if (!Number.isInteger(seed)) throw new Error(`--seed must be a whole number, not ${values.seed}`)

print(`seed ${seed}`)
const handleCount = ({ handles }: HeldResources): number =>
  Object.values(handles).reduce((sum, count) => sum + count, 0)
print('round        heap    resident  files  handles')
const { tally, records, problems } = await soak({
  seconds: minutes * 60,
  seed,
  onRound: (round, held) =>
    print(
      [
        String(round + 1).padEnd(5),
        megabytes(held.heapBytes).padStart(11),
        megabytes(held.residentBytes).padStart(11),
        String(held.files).padStart(6),
        String(handleCount(held)).padStart(8),
      ].join(' '),
    ),
})
const width = Math.max(...[...tally.counts.keys()].map(({ length }) => length))
for (const [what, count] of [...tally.counts].sort())
  print(`${what.padEnd(width)}  ${count.toLocaleString('en').padStart(9)}`)
print(`${'audit records'.padEnd(width)}  ${records.toLocaleString('en').padStart(9)}`)
for (const problem of problems) print(`problem: ${problem}`)
print(
  `soak: ${minutes} minutes, ${tally.answered.size.toLocaleString('en')} answered calls, ${problems.length} problems`,
)
process.exitCode = problems.length === 0 ? 0 : 1
