import { expect, test } from 'vitest'
import { builtInCommands } from './built-in-commands.ts'

test('every command is found by its name, without those of other modules', async () => {
  const all = await builtInCommands(undefined)
  expect(all.length).toBeGreaterThan(10)
  for (const command of all) {
    const loaded = await builtInCommands(command.name())
    expect(loaded.map((one) => one.name())).toContain(command.name())
    expect(loaded.length).toBeLessThan(5)
  }
})

test('an unknown name loads all, so that the nearest can be suggested', async () => {
  expect(await builtInCommands('serv')).toHaveLength((await builtInCommands(undefined)).length)
})
