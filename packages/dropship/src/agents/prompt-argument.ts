/** The required argument of a prompt that names a record, completed from the ids in the shop. */
export const idArgument = (
  name: string,
  description: string,
  ids: () => Promise<readonly string[]>,
  maxCompletions = 100,
) => ({
  name,
  description,
  required: true,
  complete: async (typed: string) => (await ids()).filter((id) => id.startsWith(typed)).slice(0, maxCompletions),
})
