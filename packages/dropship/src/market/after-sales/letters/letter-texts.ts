/** The texts of letters by intent. A letter is composed of some of them and of the phrases in phrases.ts. */
import type { Intent } from '../../../ports.ts'

export interface Phrases {
  readonly subjects: readonly string[]
  /** state the topic; the other parts only add to it */
  readonly cores: readonly string[]
  readonly details: readonly string[]
  readonly asks: readonly string[]
}

/** One intent a paragraph: its subjects in the first line, then its cores (-), details (+) and asks (?). */
const LETTERS = `where_is_my_order: Where is my parcel / Delivery? / Still nothing here / Question about shipping / {order} / Tracking does not move / When will it come
  - I bought the {product} {days} days ago and it has not come.
  - Nothing has turned up in the post so far, although {order} was confirmed at once.
  - the tracking page has said the same thing since last week
  - I would like to know what has happened to {order}.
  - My {thing} should have been here by now.
  - Could it be that {order} went missing?
  - The carrier says he has no such parcel.
  - I keep looking out of the window but no courier with my {product}.
  - According to your mail the {thing} was to be handed over days ago.
  - It is day {days} and I am still without my {product}.
  - I was home the whole day on which it was announced, and nobody rang.
  - has {order} even left your warehouse?
  - The link you sent shows "in transit" and has done so for ages.
  - Is there any news of the {product} I paid for?
  + It is meant for a birthday this weekend.
  + I live in {city}, it cannot be that far.
  + The neighbours have nothing either.
  + I checked the spam folder, no message.
  + We are going away on Friday.
  + It was supposed to take less than a week.
  ? When can I expect it?
  ? Please find out where it is.
  ? Can you check with the carrier?
  ? Do you have a date for me?
  ? What is the status?
  ? Let me know how long it still takes.
  ? Any idea when it gets here?

return_request: Return / Sending it back / It does not suit us / Return label / {order}: return / too big / How do returns work
  - I would like to send the {product} back.
  - It is nice, but it does not fit in our flat.
  - The {thing} is smaller than I had imagined.
  - I have decided not to keep what I bought.
  - My wife does not like the colour, so it has to go back.
  - We received two similar presents and one can be returned.
  - how do i return something? its unused
  - I want to make use of my right to give the {product} back.
  - The material does not feel the way I hoped.
  - It turns out that I do not need the {thing} after all.
  - Please take {order} back, it is still in its packing.
  - Having tried it for an evening I do not want to keep it.
  + It is unused.
  + I still have the box.
  + It came a few days ago.
  + There is nothing wrong with it as such.
  + I am within the thirty days.
  ? Please send me a label.
  ? Where do I send it?
  ? Who pays for the parcel?
  ? What are the steps?
  ? How long do I have?
  ? Do I get the full price back?

refund_status: Where is my money / Refund / No credit yet / Reimbursement for {order} / still waiting for the refund / Payment back
  - I sent the {product} back over a week ago and have seen no money.
  - You wrote that the amount would be on my account, it is not.
  - My card statement shows no credit from you.
  - The return of {order} was received, according to the post, so what about the payment?
  - It has been {days} days since you promised to pay me back.
  - I am waiting for the reimbursement for my {thing}.
  - the refund for {order} hasnt shown up
  - My bank says nothing has come in from your side.
  - Has the repayment been started at all?
  - Half of the sum has arrived, where is the rest?
  - I gave the parcel with the {product} in last Monday and wonder when I get paid.
  - According to your rules it takes five days; these are over.
  + I paid by card.
  + I have the receipt of the post office.
  + It is not a small sum for me.
  + I understand that banks are slow.
  + I need the money.
  ? When will it be there?
  ? Please check.
  ? Can you send me a proof of payment?
  ? How much longer?
  ? What is the hold up?
  ? Kindly give me a date.

damaged_item: Broken / Arrived damaged / {product} does not work / Defect / Crack in the {thing} / Quality / photo attached
  - The {product} came today and one corner is smashed.
  - When I opened the box the {thing} was in two pieces.
  - It stopped working after one evening.
  - There is a deep scratch right across the front of my {product}.
  - The parcel looked as if someone had stood on it, and so does what is inside.
  - A screw is missing and the {thing} wobbles.
  - My {product} is leaking where the parts are joined.
  - the thing wont even switch on
  - The seam has come apart although I have hardly used it.
  - I got the {product} with a crack, it was hidden under the wrapping.
  - Half of the contents of {order} is dented.
  - It smells burnt and got hot, I have unplugged it.
  - The finish is peeling off my {thing} on the second day.
  - Unfortunately the glass did not survive the trip.
  + I have taken pictures.
  + The packing was much too thin.
  + I have thrown nothing away.
  + Everything else is fine.
  + It was a gift, which makes it embarrassing.
  + I did not drop it.
  ? What do we do now?
  ? I would like my money back.
  ? Can you send me a new one?
  ? Please tell me how you deal with this.
  ? Do I have to send it back?
  ? How do I get a working one?
  ? I expect a solution.

wrong_item: Wrong product / Not what I ordered / Mix up with {order} / Wrong colour / Got something else / one piece missing / {product}
  - I ordered the {product} and got something entirely different.
  - The colour is not the one I chose.
  - You sent me someone else's things.
  - In the box for {order} was a size that I did not ask for.
  - My invoice says {product}, the parcel says otherwise.
  - there was a phone case in it. i bought a {thing}
  - This is a different model from the one in your pictures.
  - Only one came although I paid for two.
  - I believe two parcels were swapped, mine has another name on it.
  - What I am holding here is not the {thing} of my order.
  - Instead of my {product} I received an item I had never seen before.
  - The label was right but the content belongs to another customer.
  + It is still sealed.
  + I can send a photo.
  + The order number on the slip is right.
  + I need the correct one soon.
  + This must have happened when packing.
  ? Please send the right one.
  ? How do I swap it?
  ? What should I do with this one?
  ? When will I get what I paid for?
  ? I would like a refund instead.
  ? Could you look into it?

cancel_order: Cancel / Please stop {order} / I ordered twice / Do not send it / Withdrawal / changed my mind / Cancellation of {order}
  - Please do not send the {product}, I no longer need it.
  - I clicked twice and now have two orders; one is enough.
  - I want to withdraw from {order}.
  - It seems I ordered the wrong {thing}, kindly take it off.
  - My partner bought the same {product} yesterday, so stop mine.
  - I found out that it takes far too long, forget about the order.
  - can i still cancel? ordered it a few minutes ago
  - Kindly annul {order} before it is packed.
  - That was my son playing with the phone; we do not want the {product}.
  - I would like to call off the purchase I made today.
  - The budget is gone, I have to undo the order for the {thing}.
  - Please void my order, the reason is private.
  + It was placed only today.
  + I have not received any shipping mail.
  + The money should go back to my card.
  + I will order another one later.
  + Sorry for the back and forth.
  ? Please confirm.
  ? Is that still possible?
  ? Do I have to do anything else?
  ? How do I do it?
  ? Please make sure it is not shipped.
  ? Can you stop it?

change_address: Wrong street / Please send it elsewhere / Address / New address for {order} / I moved / Delivery to my office / correction
  - I typed my old address when I ordered the {product}.
  - The house number on {order} is not right.
  - We have moved and the shop still had our former street.
  - I would rather have the {thing} sent to my work place.
  - There is a mistake in the postal code of {order}.
  - Nobody is at home in the daytime, so the parcel should go to my parents.
  - I only now see that the confirmation shows my previous flat.
  - Could the {product} go to a pick up point instead of my door?
  - the city is correct but the street is not, autofill got me
  - I forgot to add the floor and the name on the bell.
  - It is a present and should go straight to my sister in {city}.
  - Please use a different delivery address from the one in the order.
  + I ordered it just now.
  + The right one is in {city}.
  + I can send you the full details.
  + The name stays the same.
  + Sorry for the trouble.
  ? Can you still change that?
  ? Is it possible to correct it before it leaves?
  ? Please confirm the new one.
  ? What do you need from me?
  ? Can this be done?
  ? Tell me whether it worked.

product_question: Question about the {product} / Size? / Before I order / Material / Is it in stock / Does it fit / {product}
  - What is the {product} made of exactly?
  - I am thinking of buying the {thing} and wonder how heavy it is.
  - Does the {product} also come in black?
  - Would it be suitable for a child of ten?
  - How do I clean the {thing}?
  - Are the measurements on the page with or without the base?
  - hi is the {product} available right now
  - Can I use it outdoors as well?
  - Is a cable in the box, or do I have to buy one?
  - Your page does not say how much weight the {thing} can take.
  - Which of your models would you recommend for a small flat?
  - I have a similar one from another shop; do the parts fit together?
  - How loud is the {product} when in use?
  - Do you plan to have the {thing} in other sizes?
  + I could not find it in the description.
  + It is for my parents.
  + I would need it by the end of the month.
  + The pictures do not show it.
  + I have read the reviews.
  ? Thanks for a short answer.
  ? Can you tell me?
  ? Then I would order today.
  ? Do you know?
  ? I would be grateful for a hint.
  ? Please advise.

invoice: Invoice / Receipt for {order} / VAT / Bill for my company / Papers / missing invoice
  - I need an invoice for {order} with our company name on it.
  - The mail with the bill never reached me.
  - Could you add our VAT number to the receipt?
  - For my tax return I need a proper document of the purchase.
  - The sum on the bill for the {product} is missing the tax line.
  - My employer pays for the {thing} but wants a receipt first.
  - pls send the invoice again, i deleted the mail
  - Our accounting asks for a PDF of the bill.
  - There is a wrong name on the document you sent.
  - How do I download the receipt for what I ordered?
  - I bought the {product} for the office and have to hand in the paper.
  - Please issue the bill to the address below and not to me privately.
  + The amount is right.
  + It is for the last quarter.
  + We are a small business in {city}.
  + A scan will do.
  + The order itself is fine.
  ? Can you send it by email?
  ? Thank you for sending it.
  ? Please correct it.
  ? By when can I have it?
  ? Is that possible?
  ? Where do I find it?

complaint: Complaint / Disappointed / This is not service / Your shop / Never again / Unacceptable / feedback on {order}
  - I have rarely been treated like this by a shop.
  - What you call delivery is a bad joke.
  - Nobody answers, nobody cares, and my money is gone.
  - I am very dissatisfied with how {order} was handled.
  - From the first day everything about this purchase went wrong.
  - Your promises on the site have nothing to do with what happens.
  - the whole thing was a waste of time and money
  - I have to complain about your way of doing business.
  - For that price one expects more than this {product} and more than this service.
  - I will tell everybody in {city} what to think of you.
  - I wrote before and was fobbed off with a standard text.
  - How can a parcel take {days} days longer than announced, and nobody says sorry?
  + I have been a customer for years.
  + A review will follow.
  + My lawyer knows about it.
  + Other shops manage.
  + I do not want excuses.
  + It was for a wedding, which is over now.
  ? I expect a statement.
  ? What are you going to do about it?
  ? Give me someone who decides.
  ? I want this put right.
  ? Refund me or I go to my bank.
  ? Do better.

praise: Thank you / Great / Love the {product} / Compliment / All good / So happy / just wanted to say
  - The {product} is even nicer than in the pictures.
  - I just wanted to tell you how pleased I am.
  - Everything came quickly and well packed.
  - My mother loves the {thing}, she has shown it to everyone.
  - Best purchase of the month!
  - Your team helped me so kindly last week.
  - i use it every single day and it still looks new
  - We have put the {product} in the living room, it is perfect there.
  - Really good quality for what it costs.
  - Five stars from me, the delivery was faster than announced.
  - I had my doubts about ordering online, you have changed my mind.
  - The {thing} works wonderfully, thanks to whoever packed it.
  + The card in the box was a lovely touch.
  + I have recommended you to friends.
  + I will order again.
  + The colour is spot on.
  + Even the cat likes it.
  ? Keep it up!
  ? Thanks again.
  ? Have a good week.
  ? Greetings to the team.
  ? Will you have more colours?
  ? Please pass this on.

other: Cooperation / Newsletter / Hello / Your website / Wholesale / Job / a suggestion
  - We run a blog about living and would like to work with you.
  - Please take me off the mailing list.
  - I am a student and looking for an internship.
  - Do you sell to resellers, and from what quantity?
  - Your site shows an error when I open it on my tablet.
  - Can I pay with a voucher that I got from a friend?
  - I cannot log in any more.
  - Do you have a shop that one can visit in {city}?
  - We offer search engine services at a good price.
  - Would you sponsor our school fair with a few prizes?
  - i forgot which mail address i used with you
  - It would be good if the search could sort by colour.
  + I found you through a search.
  + Just a thought.
  + We have written before.
  + There is no hurry.
  + I like your shop.
  ? Who can I talk to?
  ? Looking forward to your answer.
  ? Thanks.
  ? Please pass it on to whoever is in charge.
  ? Is that possible?
  ? Let me know.`

const readPhrases = (paragraph: string): [intent: string, phrases: Phrases] => {
  const [head = '', ...lines] = paragraph.split('\n')
  const [intent = '', subjects = ''] = head.split(/: (.*)/)
  const marked = (mark: string): string[] =>
    lines.filter((line) => line.startsWith(`  ${mark} `)).map((line) => line.slice(4))
  return [intent, { subjects: subjects.split(' / '), cores: marked('-'), details: marked('+'), asks: marked('?') }]
}

export const PHRASES = Object.fromEntries(LETTERS.split('\n\n').map(readPhrases)) as Readonly<Record<Intent, Phrases>>
