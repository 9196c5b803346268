/** Every tool of server-filesystem, on a folder that both sides have alike. */
import { call, listsTools, refuses, type Step } from './step.ts'

const at =
  (name: string, more: Record<string, unknown> = {}) =>
  (folder: string) => ({ path: `${folder}/${name}`, ...more })

const edits = [{ oldText: 'two', newText: 'zwei' }]

export const STEPS: readonly Step[] = [
  listsTools,
  call('list_allowed_directories', {}),
  call('read_file', at('poem.txt')),
  refuses('read_file', { path: 5 }),
  call('read_text_file', at('poem.txt', { head: 2 })),
  call('read_text_file', at('poem.txt', { tail: 2 }), 'answers from the end'),
  call('read_text_file', at('poem.txt', { head: 1, tail: 1 }), 'fails in its own words'),
  refuses('read_text_file', {}),
  call('read_media_file', at('dot.png')),
  call('read_media_file', at('ring.mp3'), 'answers with sound'),
  refuses('read_media_file', {}),
  call('read_multiple_files', (folder) => ({ paths: [`${folder}/poem.txt`, `${folder}/none.txt`] })),
  refuses('read_multiple_files', { paths: [] }),
  call('write_file', at('new.txt', { content: 'new\n' })),
  refuses('write_file', at('new.txt')),
  call('edit_file', at('poem.txt', { edits, dryRun: true }), 'shows what it would do'),
  call('edit_file', at('poem.txt', { edits })),
  refuses('edit_file', at('poem.txt', { edits: [{ oldText: 'one' }] })),
  call('create_directory', at('deep/deeper')),
  refuses('create_directory', { path: [] }),
  call('list_directory', at('')),
  refuses('list_directory', {}),
  call('list_directory_with_sizes', at('', { sortBy: 'size' })),
  refuses('list_directory_with_sizes', at('', { sortBy: 'colour' })),
  call('directory_tree', at('', { excludePatterns: ['deep'] })),
  refuses('directory_tree', at('', { excludePatterns: 'deep' })),
  call('move_file', (folder) => ({ source: `${folder}/new.txt`, destination: `${folder}/deep/new.txt` })),
  refuses('move_file', (folder) => ({ source: `${folder}/new.txt` })),
  call('search_files', at('', { pattern: '**/*.txt' })),
  refuses('search_files', at('')),
  call('get_file_info', at('notes/list.md')),
  refuses('get_file_info', {}),
  call('read_file', { path: '/etc/hostname' }, 'denies what is outside, in its own words'),
  call('read_file', at('none.txt'), 'fails in its own words'),
]
