/**
 * Times that people write in words, as spans of the calendar: for facts that are taken out of texts, and for questions that
 * ask about a time.
 *
 * <p>{@link dev.parley.language.time.Tokens} cuts a text into words, numbers and written dates and leaves out code,
 * links, prices and versions. {@link dev.parley.language.time.Language} has the words of each language with what they
 * can be; a text is read in the language that most of its words
 * are of, and where several are possible, what most of them read counts. {@link dev.parley.language.time.Grammar} reads
 * ranges and open ends, which {@link dev.parley.language.time.SingleTimeParser} are the ends of; both look a bounded number of
 * words ahead, so that the time taken grows with the text and not faster. {@link dev.parley.language.time.Calendar}
 * knows what was read on the calendar around the reference.
 *
 * <p>Where an expression is open to readings:
 *
 * <ul>
 *   <li>Weeks begin on Monday, weekends on Saturday. Seasons are those of the north, of three whole months; a winter is of the
 *       year it begins in.
 *   <li>Mornings are from 6 to 12, afternoons to 18, evenings to 24; a night is from 18 to 6, as "last night" often was
 *       before midnight.
 *   <li>"Last Monday" is the latest before today, "this Monday" of this week, "next Monday" of the week to come; words as
 *       "coming", "nächsten", "prochain" and "que viene" mean the first after today. "Last May" is the latest that is over.
 *   <li>Without such a word a month or a day of the week is the latest that has begun, unless the sentence looks ahead; a date
 *       without a year is the nearest where neither is said. A question looks back unless it says that it looks ahead.
 *   <li>"Two weeks ago" is the calendar week of that day, and months and years likewise. "The last two weeks" are the days from
 *       then until the reference. Hours ago are half an hour exact, minutes five.
 *   <li>A couple is one to three, a few are two to five, several three to seven; of months, of thirty days each.
 *   <li>Early, middle and late are the thirds of a month (days 1 to 10, 11 to 20, the rest), a year, a season and the like;
 *       "the first week of June" is its first seven days.
 *   <li>"Since" ends at the reference. "Before" and "until" reach back one year, from a year or decade ten, or else from the
 *       reference to a time to come; "after" is the same the other way.
 *   <li>12.05.2024 has the day first in every language, 12/05/2024 in all but English, where it is no time at all.
 * </ul>
 *
 * <p>No library was good enough (tried in November 2026). Natty 1.1.2 (MIT, maintained, English only; prettytime-nlp 5.0.9
 * carries version 0.13 of it) gives moments and no spans: "in May" is noon of its first day. Of 22 texts without a time it
 * found one in 16, for example in "he sat down", "version 3.11.2" and "I need 1 hard drive"; it read "since 2019" as 20:19 of
 * today and 31 February as 3 March, and took 150 to 750 µs a text. Hawking depends on CoreNLP, and both are under the GPL, as
 * HeidelTime is. The recognizers of Microsoft have no released version for Java. This grammar takes 12 µs a text of its corpus
 * on the average, on two cores beside other work, and 0.1 to 0.4 ms a message of 2,300 characters.
 */
@NullMarked
package dev.parley.language.time;

import org.jspecify.annotations.NullMarked;
