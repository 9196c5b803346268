/** The phrases that any letter may contain. */
import type { Sentiment } from '../../../ports.ts'

export const GREETINGS = [
  'Hello,',
  'Hi,',
  'Dear team,',
  'Good morning,',
  'Hi there,',
  'Hello everyone,',
  'Good evening,',
  'To whom it may concern,',
]

export const LEADS: Readonly<Record<Sentiment, readonly string[]>> = {
  angry: [
    'This is the third time I write.',
    'I have had enough.',
    'I am furious.',
    'What is wrong with you people?',
    'Unbelievable!',
    'I demand an answer TODAY.',
    'This is outrageous.',
  ],
  unhappy: [
    'I am a bit disappointed.',
    'Sadly I have to write to you.',
    'This is not what I expected.',
    'I am getting worried.',
    'It is annoying, to be honest.',
    'Not a good start.',
  ],
  neutral: [
    'I have a short question.',
    'I hope you can help me.',
    'It is about {order}.',
    'A quick note.',
    'Sorry to bother you.',
    'I could use your help.',
  ],
  happy: ['Hooray!', 'What a nice surprise.', 'You made my day.', 'I am delighted.', 'Wow.', 'I am thrilled.'],
}

export const CLOSINGS: Readonly<Record<Sentiment, readonly string[]>> = {
  angry: ['I will not wait any longer.', 'Shame on you.', 'Last warning.', 'You will hear from me.', ''],
  unhappy: ['I hope this can be sorted out.', 'Waiting for your reply', 'Regards', 'Not amused,', ''],
  neutral: ['Best regards', 'Thanks', 'Kind regards', 'Thank you in advance', 'Cheers', 'Many thanks'],
  happy: ['Best wishes', 'Warm regards', 'Thank you so much!', 'All the best', 'Love it,'],
}

/** Texts that leave the topic open. */
export const VAGUE = [
  'It is about {order}. Please call me.',
  'Can somebody get back to me about this?',
  'You know what it is about.',
  'See subject.',
  'I have a problem with {order}.',
  'Please look at {order} again.',
  'Something is not right with the {product}.',
]

export const ORDER_NAMES = ['order {n}', 'order #{n}', 'my order {n}', 'order no. {n}', 'order number {n}', 'my order']
