/** Checks one large plan in a process that has done nothing before, and prints the milliseconds of processor time it took. */
import { checkPlan } from '../../packages/myrmex/src/agent/plan/check.ts'
import { manySteps, manyTools } from './large-plans.ts'

const tools = manyTools(100)
const plan = manySteps(1000, tools)
const started = process.threadCpuUsage()
const checked = checkPlan(plan, tools)
const { user, system } = process.threadCpuUsage(started)
if (!checked.ok) throw new Error(JSON.stringify(checked.problems))
process.stdout.write(String((user + system) / 1000))
