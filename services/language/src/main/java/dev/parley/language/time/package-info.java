/**
 * Parser of time expressions in texts and questions, with spans of the calendar as results.
 *
 * <p>{@link dev.parley.language.time.Tokenizer} splits a text into words, numbers and written dates, and skips code, links,
 * prices and versions. {@link dev.parley.language.time.Language} has the words of each language with their possible
 * roles; a text is parsed in the language of most of its words, and if several are possible, the result of most of them
 * counts. {@link dev.parley.language.time.Grammar} parses ranges and open-ended times, and
 * {@link dev.parley.language.time.SingleTimeParser} their ends; both use a bounded lookahead, so parsing is linear in the
 * length of the text. {@link dev.parley.language.time.Calendar} resolves what was parsed relative to the reference time.
 *
 * <p>Ambiguous expressions:
 *
 * <ul>
 *   <li>Weeks start on Monday, weekends on Saturday. Seasons are those of the northern hemisphere, of three whole months;
 *       a winter belongs to the year it starts in.
 *   <li>Mornings are from 6 to 12, afternoons to 18, evenings to 24; a night is from 18 to 6, as "last night" often means
 *       a time before midnight.
 *   <li>"Last Monday" is the latest one before today, "this Monday" that of the current week, "next Monday" that of the
 *       next week; "coming", "nächsten", "prochain" and "que viene" mean the first one after today. "Last May" is the
 *       latest one that is over.
 *   <li>Without such a word, a month or a weekday is the latest that has started, unless the sentence is about the future;
 *       a date without a year is the nearest one if the sentence has no tense. A question is about the past unless it
 *       says otherwise.
 *   <li>"Two weeks ago" is the calendar week of that day, and months and years likewise. "The last two weeks" are the days
 *       from then until the reference. Hours ago have a tolerance of half an hour, minutes of five minutes.
 *   <li>A couple is one to three, a few are two to five, several three to seven; vague months have thirty days.
 *   <li>Early, middle and late are the thirds of a month (days 1 to 10, 11 to 20, the rest), a year, a season and the
 *       like; "the first week of June" is its first seven days.
 *   <li>"Since" ends at the reference. "Before" and "until" cover one year, for a year or decade ten years, or the time
 *       from the reference to a future time; "after" is the reverse.
 *   <li>12.05.2024 has the day first in every language; 12/05/2024 in all but English, where it is ambiguous and not a
 *       time.
 * </ul>
 *
 * <p>No library was good enough (tried in November 2026). Natty 1.1.2 (MIT, maintained, English only; prettytime-nlp
 * 5.0.9 contains version 0.13 of it) returns moments instead of spans: "in May" is noon of its first day. Of 22 texts
 * without a time it found one in 16, for example in "he sat down", "version 3.11.2" and "I need 1 hard drive"; it parsed
 * "since 2019" as 20:19 of today and 31 February as 3 March, and took 150 to 750 µs per text. Hawking depends on CoreNLP,
 * and both are under the GPL, like HeidelTime. Microsoft's recognizers have no released version for Java. This grammar
 * takes 12 µs per text of its corpus on average, on two cores with other load, and 0.1 to 0.4 ms per message of 2,300
 * characters.
 */
@NullMarked
package dev.parley.language.time;

import org.jspecify.annotations.NullMarked;
