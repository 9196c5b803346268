/** In which folder a command keeps its ledger, for tools in a project and outside of one, and whatever the working directory is. */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { folderOfFiles, folderOfWorkingDirectory } from './command-folder.ts'

let folder: string
beforeEach(() => {
  const before = process.cwd()
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'command-folder-')))
  vi.stubEnv('HOME', at('home'))
  vi.stubEnv('XDG_DATA_HOME', undefined)
  mkdirSync(at('home/ann'), { recursive: true })
  process.chdir('/')
  return () => {
    process.chdir(before)
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  }
})

const at = (path: string): string => join(folder, path)

function write(path: string, text = ''): string {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
  return at(path)
}

const begin = (path: string): string => mkdirSync(at(join(path, '.myrmex')), { recursive: true }) ?? ''
const folderOf = (file: string, from = '/'): string => {
  process.chdir(from)
  return folderOfFiles([file]).folder?.slice(folder.length + 1) ?? ''
}

describe('tools in a project', () => {
  test('the project has the ledger and the rules, from wherever the command is started', () => {
    const file = write('shop/src/a.tools.ts')
    write('shop/package.json', '{}')
    mkdirSync(at('elsewhere'))
    for (const from of ['/', at('elsewhere'), at('shop'), at('shop/src'), at('home')])
      expect(folderOf(file, from), from).toBe('shop')
    expect(folderOfFiles([file])).toEqual({ folder: at('shop'), rules: at('shop') })
  })

  test.each(['package.json', 'myrmex.json', 'myrmex.fleet.json', '.git/HEAD'])(
    '%s makes a folder a project',
    (name) => {
      write(join('shop', name))
      expect(folderOf(write('shop/src/a.tools.ts'))).toBe('shop')
    },
  )

  test('the package is nearer than the repository, unless the command is first started in the repository', () => {
    write('all/.git/HEAD')
    write('all/shop/package.json')
    const file = write('all/shop/a.tools.ts')
    expect(folderOf(file)).toBe('all/shop')
    expect(folderOf(file, at('all'))).toBe('all')
    begin('all')
    expect(folderOf(file)).toBe('all')
    expect(folderOf(file, at('all/shop'))).toBe('all')
  })

  test('the nearest folder in which Myrmex works counts, and rules are such a folder too', () => {
    write('all/.git/HEAD')
    begin('all')
    const file = write('all/shop/src/a.tools.ts')
    expect(folderOf(file, at('all/shop/src'))).toBe('all')
    write('all/shop/myrmex.policy.json')
    expect(folderOf(file)).toBe('all/shop')
    expect(folderOf(file, at('all'))).toBe('all')
  })

  test('what is above the repository does not count', () => {
    begin('code')
    write('code/myrmex.policy.json')
    write('code/shop/.git/HEAD')
    expect(folderOf(write('code/shop/a.tools.ts'))).toBe('code/shop')
  })

  test('a file in .myrmex belongs to the folder that has it', () => {
    expect(folderOf(write('shop/.myrmex/demo/myrmex.fleet.json'))).toBe('shop')
  })

  test('an installed package belongs to the project that it is installed in', () => {
    write('shop/package.json')
    write('shop/node_modules/tools/package.json')
    write('shop/node_modules/tools/.git/HEAD')
    expect(folderOf(write('shop/node_modules/tools/node_modules/more/a.tools.js'))).toBe('shop')
  })

  test.each(['home/.npm/_npx/1f/node_modules/tools', 'home/.nvm/versions/lib/node_modules/tools'])(
    'a package in %s belongs to none',
    (path) => {
      write('home/.npm/_npx/1f/package.json')
      write('home/.nvm/.git/HEAD')
      write(join(path, 'package.json'))
      expect(folderOf(write(join(path, 'a.tools.js')))).toMatch(/^home\/\.local\/share\/myrmex\/servers\/a-/)
    },
  )

  test('a link to the file leads to its project', () => {
    write('shop/package.json')
    symlinkSync(write('shop/a.tools.ts'), at('home/a.tools.ts'))
    expect(folderOf(at('home/a.tools.ts'))).toBe('shop')
  })
})

describe('tools outside of any project', () => {
  const OWN = /^home\/\.local\/share\/myrmex\/servers\/a-[0-9a-f]{10}$/

  test('a command in the folder of the tools begins there, and others find it', () => {
    const file = write('loose/a.tools.ts')
    expect(folderOf(file, at('loose'))).toBe('loose')
    begin('loose')
    expect(folderOf(file)).toBe('loose')
  })

  test('a command elsewhere uses a folder of the server, and so do all later ones', () => {
    const file = write('loose/a.tools.ts')
    const own = folderOf(file)
    expect(own).toMatch(OWN)
    expect(folderOfFiles([file])).toEqual({ folder: at(own), rules: at(own) })
    mkdirSync(at(own), { recursive: true })
    expect(folderOf(file, at('loose'))).toBe(own)
  })

  test.each(['home', 'home/..'])('%s is no project, although it has package.json and .git', (path) => {
    write(join(path, 'package.json'))
    write(join(path, '.git/HEAD'))
    expect(folderOf(write('home/ann/a.tools.ts'), at(path))).toMatch(OWN)
  })

  test('a home folder in which Myrmex works has the tools that are in no project', () => {
    begin('home')
    expect(folderOf(write('home/ann/a.tools.ts'))).toBe('home')
    write('home/ann/package.json')
    expect(folderOf(at('home/ann/a.tools.ts'), at('home'))).toBe('home/ann')
  })

  test('a folder in which everybody can create files is no project', () => {
    write('shared/package.json')
    chmodSync(at('shared'), 0o1777)
    expect(folderOf(write('shared/mine/a.tools.ts'), at('shared'))).toMatch(OWN)
  })

  test('the working directory decides nothing if the tools are not in it', () => {
    begin('other')
    write('other/package.json')
    write('other/myrmex.policy.json')
    expect(folderOf(write('loose/a.tools.ts'), at('other'))).toMatch(OWN)
  })

  test('two files have two folders, and the name of the server is in front', () => {
    const [one, two] = [write('x/a.tools.ts'), write('y/a.tools.ts')]
    expect(folderOf(one)).not.toBe(folderOf(two))
    expect(basename(folderOfFiles([one], 'Tools of Ann').folder ?? '')).toMatch(/^tools-of-ann-[0-9a-f]{10}$/)
  })

  test('a name that was given once does not have to be given again', () => {
    const file = write('loose/a.tools.ts')
    const { folder: named = '' } = folderOfFiles([file], 'ann')
    mkdirSync(named, { recursive: true })
    expect(folderOfFiles([file]).folder).toBe(named)
    expect(folderOfFiles([file], 'bob').folder).toBe(named)
  })

  test.each(['../../evil', '/etc/passwd', '..', '', 'CON', 'a\u0000b', '🐜', 'x'.repeat(500)])(
    'the name %j stays in the folder of servers',
    (name) => {
      const own = folderOfFiles([write('loose/a.tools.ts')], name).folder ?? ''
      expect(dirname(own)).toBe(at('home/.local/share/myrmex/servers'))
      expect(basename(own)).toMatch(/^[a-z0-9][a-z0-9_-]{0,39}-[0-9a-f]{10}$/)
    },
  )

  test('XDG_DATA_HOME moves it, unless it is relative', () => {
    const file = write('loose/a.tools.ts')
    vi.stubEnv('XDG_DATA_HOME', at('data'))
    expect(folderOf(file)).toMatch(/^data\/myrmex\/servers\/a-/)
    vi.stubEnv('XDG_DATA_HOME', 'data')
    expect(folderOf(file)).toMatch(OWN)
  })
})

describe.runIf(process.getuid?.() === 0)('files of another user', () => {
  test.each(['.myrmex', 'package.json', 'myrmex.policy.json', 'myrmex.json', '.git'])(
    '%s above the tools decides nothing',
    (name) => {
      const file = write('shared/mine/a.tools.ts')
      mkdirSync(at(`shared/${name}`))
      chownSync(at(`shared/${name}`), 65_534, 65_534)
      expect(folderOf(file)).toMatch(/^home\/\.local/)
    },
  )
})

test('a file that does not exist is an error', () => {
  expect(() => folderOfFiles([at('gone.tools.ts')])).toThrow(/gone\.tools\.ts does not exist/)
})

describe('a command without files', () => {
  const here = (path: string): string | undefined => {
    process.chdir(at(path))
    return folderOfWorkingDirectory()?.slice(folder.length + 1)
  }

  test('is about the project that the working directory is in, or about the working directory', () => {
    write('shop/package.json')
    mkdirSync(at('shop/src'))
    begin('home')
    expect(here('shop/src')).toBe('shop')
    begin('shop/src')
    expect(here('shop/src')).toBe('shop/src')
    expect(here('home')).toBe('home')
    expect(here('home/ann')).toBe('home/ann')
  })

  test('is about none if the working directory does not exist any more', () => {
    mkdirSync(at('gone'))
    process.chdir(at('gone'))
    rmSync(at('gone'), { recursive: true })
    expect(folderOfWorkingDirectory()).toBeUndefined()
  })
})
