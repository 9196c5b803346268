/** The built-in commands, in the order of the help. A chosen command loads its own module only, because every command must start quickly. */
import type { Command } from 'commander'

interface CommandGroup {
  readonly names: readonly string[]
  load(): Promise<Command[]>
}

const GROUPS: readonly CommandGroup[] = [
  {
    names: ['serve', 'tools', 'call'],
    load: () => import('./tools/command.ts').then((all) => [all.serveCommand(), all.toolsCommand(), all.callCommand()]),
  },
  {
    names: ['trust', 'untrust', 'verify', 'status'],
    load: () =>
      import('./trust/command.ts').then((all) => [
        all.trustCommand(),
        all.untrustCommand(),
        all.verifyCommand(),
        all.statusCommand(),
      ]),
  },
  {
    names: ['approvals', 'approve'],
    load: () => import('./approvals/command.ts').then((all) => [all.approvalsCommand(), all.approveCommand()]),
  },
  { names: ['operator'], load: () => import('./operator/command.ts').then((all) => [all.operatorCommand()]) },
  { names: ['users'], load: () => import('./users/command.ts').then((all) => [all.usersCommand()]) },
  { names: ['host'], load: () => import('./host/command.ts').then((all) => [all.hostCommand()]) },
  { names: ['tokens'], load: () => import('./tokens/command.ts').then((all) => [all.tokensCommand()]) },
  { names: ['profiles'], load: () => import('./profiles/command.ts').then((all) => [all.profilesCommand()]) },
  { names: ['folder'], load: () => import('./folder/command.ts').then((all) => [all.folderCommand()]) },
  { names: ['run'], load: () => import('./run/command.ts').then((all) => [all.runCommand()]) },
  {
    names: ['runs', 'ceo'],
    load: () => import('./runs/command.ts').then((all) => [all.runsCommand(), all.ceoCommand()]),
  },
  { names: ['audit'], load: () => import('./audit/command.ts').then((all) => [all.auditCommand()]) },
  { names: ['spec'], load: () => import('./spec.ts').then((all) => [all.specCommand()]) },
]

/** The group of the chosen command, or all if that is no built-in one. */
export async function builtInCommands(chosen: string | undefined): Promise<Command[]> {
  const group = GROUPS.find(({ names }) => names.some((name) => name === chosen))
  const groups = group === undefined ? GROUPS : [group]
  return (await Promise.all(groups.map(({ load }) => load()))).flat()
}
