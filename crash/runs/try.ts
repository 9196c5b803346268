import { runRuns } from './run.ts'

const [sqlite = 5, postgres = 2, seed = 1] = process.argv.slice(2).map(Number)
console.log(await runRuns({ sqlite, postgres, seed }, console.log))
