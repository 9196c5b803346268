/** `myrmex trust` and the tools that their servers no longer list: real commands on a ledger that has seen them. */
import { commandOnLedger } from '@myrmex/testing/cli/command-on-ledger'
import { type SeenTool, seenTools } from '@myrmex/testing/trust/seen-tools'
import { expect, test } from 'vitest'

const GITHUB: SeenTool[] = [
  { name: 'get_issue', readOnly: true },
  { name: 'list_issues', readOnly: true },
]

test('a tool that is gone is in no list but --gone, and untrust --all revokes it too', async () => {
  const { myrmex, ledger } = await commandOnLedger()
  const [issue] = await seenTools(ledger, { github: GITHUB })
  if (issue === undefined) throw new Error('no tool')
  await myrmex(['trust', 'github', '--yes'])
  await ledger.listedDefinitions.record('github', [{ tool: issue.name, version: issue.version, hash: issue.hash }])

  const shown = await myrmex(['trust', 'status'])
  expect(shown.stdout).toContain('github.get_issue')
  expect(shown.stdout).not.toContain('github.list_issues')
  expect(shown.stderr).toContain(
    '1 tool that its server no longer lists keeps its decisions: npx myrmex trust status --gone',
  )
  const gone = await myrmex(['trust', 'status', '--gone'])
  expect(gone.stdout).toContain('github.list_issues')
  expect(gone.stdout).toContain('gone          its server no longer lists it, since 20')
  expect(gone.stdout).not.toContain('github.get_issue')
  expect((await myrmex(['verify'])).stdout).not.toContain('list_issues')
  expect((await myrmex(['untrust', '--all', '--yes'])).stdout).toContain('github.list_issues')
  expect((await ledger.trust.decisions()).map(({ level }) => level)).toEqual(['untrusted', 'untrusted'])
})
