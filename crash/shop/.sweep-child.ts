import { openFleet } from 'myrmex/fleet'
import { openShop, simulateDays } from '../../packages/dropship/src/index.ts'
import { rulesBrain } from '../../packages/myrmex/src/agent/brain/rules.ts'
import { Runs } from '../../packages/myrmex/src/agent/run/runs.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import { fuseOf } from '../runs/fuse.ts'
import { agentsOf, playbooksOf } from './fleet.ts'
import { watchShop } from './shop-fuse.ts'
const { folder, goal, k, hook, days } = JSON.parse(process.argv[2] as string)
const ledger = await openLedger(`${folder}/ledger.db`, { keyFile: `${folder}/ledger.key` })
const shop = await openShop({ file: `${folder}/shop.db` })
if (days > 0) simulateDays(shop.db, days)
let n = 0
const fuse = fuseOf(k > 0 ? { kind: 'at', hook, count: k } : { kind: 'later', ms: 1 })
watchShop(shop.db, (h) => { if (h === hook) n++; (fuse as (h: string) => void)(h) })
const source = async () => shop
const fleet = await openFleet({ agents: {} }, { ledger, agents: agentsOf(source), playbooks: playbooksOf(source), brain: rulesBrain, observe: ({ thrown }) => console.error(thrown) })
const runs = new Runs({ fleet, ledger, brain: rulesBrain })
const all = await ledger.runs.list()
const id = all[0]?.id ?? (await runs.start({ goal, principal: { id: 'olga', kind: 'local' }, approve: 'all', budget: { money: 3000 } })).id
const row = await runs.lead(id)
console.log(JSON.stringify({ id, status: row?.status, spent: row?.spent, n, report: JSON.parse(row?.report ?? '{}') }))
await fleet.close(); await ledger.close(); await shop.close()
