/** Every tool of server-memory, from an empty memory to an empty one. */
import { call, listsTools, refuses, type Step } from './step.ts'

const ada = { name: 'Ada', entityType: 'person', observations: ['writes programs', 'likes ants 🐜'] }
const engine = { name: 'Engine', entityType: 'machine', observations: [] }
const relation = { from: 'Ada', to: 'Engine', relationType: 'programs' }

const GRAPH = 'memory://knowledge-graph'

export const STEPS: readonly Step[] = [
  listsTools,
  call('read_graph', {}, 'finds nothing at first'),
  call('create_entities', { entities: [ada, engine] }),
  refuses('create_entities', { entities: [{ name: 'Nobody' }] }),
  call('create_relations', { relations: [relation] }),
  refuses('create_relations', { relations: relation }),
  call('add_observations', { observations: [{ entityName: 'Ada', contents: ['is a countess'] }] }),
  call('add_observations', { observations: [{ entityName: 'Eve', contents: ['?'] }] }, 'fails in its own words'),
  refuses('add_observations', {}),
  call('read_graph', {}),
  { name: 'resources are listed', run: (session) => session.resources() },
  { name: `${GRAPH} is read`, tries: GRAPH, run: (session) => session.read(GRAPH) },
  call('search_nodes', { query: 'countess' }),
  refuses('search_nodes', { query: 1 }),
  call('open_nodes', { names: ['Ada', 'Engine'] }),
  refuses('open_nodes', { names: 'Ada' }),
  {
    name: 'subscribers receive a change of the graph',
    lasting: true,
    run: async (session) => {
      session.forget()
      const end = await session.subscribe(GRAPH)
      await session.call('create_entities', { entities: [{ ...engine, name: 'Other' }] })
      const heard = await session.heard('notifications/resources/updated')
      await session.call('delete_entities', { entityNames: ['Other'] })
      await end()
      return heard
    },
  },
  call('delete_observations', { deletions: [{ entityName: 'Ada', observations: ['is a countess'] }] }),
  refuses('delete_observations', { deletions: [{ entityName: 'Ada' }] }),
  call('delete_relations', { relations: [relation] }),
  refuses('delete_relations', {}),
  call('delete_entities', { entityNames: ['Ada', 'Engine'] }),
  refuses('delete_entities', { entityNames: [1] }),
  call('read_graph', {}, 'finds nothing at last'),
]
