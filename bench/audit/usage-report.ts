// Loaded before a command that is measured: as it exits, it writes what its process has used into the file that BENCH_USAGE names.
import { writeFileSync } from 'node:fs'
import process from 'node:process'

process.once('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  const usage = { cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakMegabytes: maxRSS / 1024 }
  writeFileSync(process.env.BENCH_USAGE ?? '', JSON.stringify(usage))
})
