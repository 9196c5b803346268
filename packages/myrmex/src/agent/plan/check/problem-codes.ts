/** Every problem the checker can name, with a sentence for people. The docs print this table. */

export const PROBLEM_CODES = {
  // The plan as a whole.
  'too-large': 'The plan has more steps or values, or is nested deeper, than any plan that people could read.',
  unreadable: 'The plan is not plain JSON data.',
  'bad-shape': 'A field of the plan is missing, unknown or of the wrong type.',
  'unsafe-name': 'A property is called __proto__, which no tool takes and some programs stumble over.',
  more: 'There are further problems of the same kind; these are the first.',
  // Steps and their order.
  'duplicate-id': 'Two steps have the same id.',
  'unknown-step': 'A step needs, or refers to, a step that is not in the plan.',
  cycle: 'Steps wait for each other in a circle, so none of them could ever start.',
  'need-added': 'A step refers to another without needing it; the checked plan has the need added. A warning.',
  // Tools.
  'unknown-tool': 'There is no tool of that name.',
  'not-trusted': 'The tool would be refused: nobody trusts its definition as it is. Found when a run begins.',
  'wrong-agent': 'The tool belongs to another agent than the step says.',
  // Arguments.
  'missing-argument': 'A value that the tool requires is not given.',
  'unknown-argument': 'The tool takes no argument of that name. A warning where its schema leaves other names open.',
  'bad-argument': 'A value breaks the input schema of the tool.',
  'secret-in-plan': 'A secret is written into the plan, which is stored and shown. A warning.',
  // References.
  'bad-reference': 'A value has $from and is no reference: {"$from": step, "path": JSON pointer} and nothing else.',
  'self-reference': 'A step refers to its own result.',
  'no-output': 'A step refers to the result of a tool that has none.',
  'no-such-path': 'A reference follows a path that the output schema of the tool does not have.',
  'may-be-absent': 'A reference follows a path that the result need not have. A warning.',
  'secret-reference': 'A reference leads to a secret. Secrets are not kept, so there will be nothing to refer to.',
  'secret-inside': 'What a reference leads to has secret fields, which come as [secret]. A warning.',
  'unfit-type': 'What a reference leads to can never be what the argument takes.',
  'may-not-fit': 'Some of what a reference may lead to is not what the argument takes. A warning.',
  // Budget.
  'over-budget': 'What the steps are known to cost is more than the budget has.',
  'too-many-calls': 'The plan has more steps than the budget has calls.',
  'no-budget': 'A step spends money, and there is no budget of money.',
  'cost-unknown': 'What a step costs comes from an earlier result, so it is not known beforehand. A warning.',
} as const

export type ProblemCode = keyof typeof PROBLEM_CODES
