/** Every problem that the checker reports, with a sentence for people. docs/plans.md prints this table. */

export const PROBLEM_CODES = {
  // The plan as a whole.
  'too-large': 'The plan has too many steps or values, or is nested too deeply.',
  unreadable: 'The plan is not plain JSON data.',
  'bad-shape': 'A field of the plan is missing, unknown or of the wrong type.',
  'unsafe-name': 'A property is called __proto__, which no tool accepts.',
  more: 'There are further problems. Only the first ones are listed.',
  // Steps and their order.
  'duplicate-id': 'Two steps have the same id.',
  'unknown-step': 'A step needs, or refers to, a step that is not in the plan.',
  cycle: 'Steps need each other in a cycle, so none of them can start.',
  'need-added':
    'A step refers to another one that is not in its needs. The checked plan has the need added. A warning.',
  // Tools.
  'unknown-tool': 'There is no tool of that name.',
  'not-trusted': 'The definition of the tool is not trusted, so calls would be rejected. Checked when a run starts.',
  'refused-by-agent': 'The agent that has the tool would refuse the call, because of its own trust or constitution.',
  'asked-by-agent': 'The agent that has the tool asks a person in its own ledger before the call. A warning.',
  'wrong-agent': 'The tool belongs to another agent.',
  // Arguments.
  'missing-argument': 'A required argument is missing.',
  'unknown-argument': 'The tool has no argument of that name. A warning if its schema allows other names.',
  'bad-argument': 'A value breaks the input schema of the tool.',
  'secret-in-plan': 'The plan contains a secret. A run stores it encrypted and shows it as [secret]. A warning.',
  // Values that were given with the goal.
  'unknown-name': 'A value was given under a name that the plan neither asks for nor takes.',
  'bad-value': 'A value that was given does not fit the input of its name.',
  // References.
  'bad-reference': 'A value has $from but is not a reference: {"$from": step, "path": JSON pointer} and nothing else.',
  'self-reference': 'A step refers to its own result.',
  'no-output': 'A step refers to the result of a tool that returns no data.',
  'no-such-path': 'The path of a reference is not in the output schema of the tool.',
  'may-be-absent': 'The path of a reference may be missing in the result. A warning.',
  'secret-reference': 'A reference leads to a secret. Secrets are not stored, so the value will not be available.',
  'secret-inside': 'The referenced value has secret fields, which arrive as [secret]. A warning.',
  'unfit-type': 'The referenced value can never fit the argument.',
  'may-not-fit': 'Some possible values of a reference do not fit the argument. A warning.',
  // Budget.
  'over-budget': 'The known cost of the steps exceeds the budget.',
  'too-many-calls': 'The plan has more steps than the budget allows calls.',
  'no-budget': 'A step spends money, and there is no money budget.',
  'cost-unknown': 'The cost of a step comes from an earlier result, so it is not known in advance. A warning.',
} as const

export type ProblemCode = keyof typeof PROBLEM_CODES
