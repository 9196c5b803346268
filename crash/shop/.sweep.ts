import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { openShop } from '../../packages/dropship/src/index.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import { agentsOf, toolsOf } from './fleet.ts'
import { makeShop } from './shop-file.ts'
const base = mkdtempSync('/tmp/sweep/s-')
await makeShop(`${base}/shop.db`)
const [goal = 'Launch a new coffee brand', hook = 'commit', days = '0', step = '1'] = process.argv.slice(2)
const child = new URL('.sweep-child.ts', import.meta.url).pathname
async function fresh() {
  const folder = mkdtempSync('/tmp/sweep/r-')
  copyFileSync(`${base}/shop.db`, `${folder}/shop.db`)
  const ledger = await openLedger(`${folder}/ledger.db`, { keyFile: `${folder}/ledger.key` })
  for (const tool of toolsOf(agentsOf(() => openShop({ file: `${folder}/shop.db` })))) if (tool.destructive) await ledger.vouchFor(tool, 'crash', { ask: true })
  await ledger.close()
  return folder
}
const run = (folder: string, k: number, days = 0) => {
  const r = spawnSync(process.execPath, [child, JSON.stringify({ folder, goal, k, hook, days })], { encoding: 'utf8', env: { ...process.env, NODE_COMPILE_CACHE: '/tmp/sweep/cc' } })
  return { signal: r.signal, out: r.stdout ? JSON.parse(r.stdout) : undefined, err: r.stderr }
}
const dumpOf = async (folder: string, id: string) => { const s = await openShop({ file: `${folder}/shop.db` }); const d = s.dump(); await s.close(); return d.replaceAll(id, 'RUN') }
const f0 = await fresh(); const r0 = run(f0, 0)
const want = await dumpOf(f0, r0.out.id)
console.log('whole:', r0.out.status, r0.out.spent, 'n', r0.out.n, r0.out.report.steps.map((s: any) => `${s.id}:${s.status}`).join(' '), r0.out.report.summary)
for (let k = 1; k <= r0.out.n; k += Number(step)) {
  const f = await fresh()
  const a = run(f, k)
  const b = run(f, 0, Number(days))
  const problems: string[] = []
  if (a.signal !== 'SIGKILL') problems.push(`not killed ${a.err}`)
  if (b.out?.status !== r0.out.status) problems.push(`status ${b.out?.status} ${b.out?.report?.summary} ${b.err}`)
  if (b.out && b.out.spent !== r0.out.spent) problems.push(`spent ${b.out.spent}`)
  if (b.out && days === '0') {
    const got = await dumpOf(f, b.out.id)
    if (got !== want) { const w = new Set(want.split('\n')); const g = new Set(got.split('\n')); problems.push('dump differs: +' + [...g].filter((l) => !w.has(l)).slice(0, 3).map((l) => l.slice(0, 300)).join(' | ') + ' -' + [...w].filter((l) => !g.has(l)).slice(0, 3).map((l) => l.slice(0, 300)).join(' | ')) }
    for (const [i, s] of (b.out.report.steps as any[]).entries()) { const o = r0.out.report.steps[i]; if (JSON.stringify(s.data).replaceAll(b.out.id,'RUN') !== JSON.stringify(o.data).replaceAll(r0.out.id,'RUN')) { const diff = Object.keys(o.data ?? {}).filter((key) => JSON.stringify(o.data[key]) !== JSON.stringify(s.data?.[key])); problems.push(`data of ${s.id} differs in ${diff.map((d) => `${d}: ${JSON.stringify(o.data[d])?.slice(0, 80)} -> ${JSON.stringify(s.data?.[d])?.slice(0, 80)}`).join('; ')}`) } }
  }
  console.log(k, problems.length === 0 ? 'ok' : problems.join('\n   '))
  rmSync(f, { recursive: true, force: true })
}
