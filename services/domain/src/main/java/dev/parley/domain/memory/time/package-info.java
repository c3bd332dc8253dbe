/**
 * Times that people write in words, as spans of the calendar: for facts that are taken out of texts, and for questions that
 * ask about a time.
 *
 * <p>{@link dev.parley.domain.memory.time.Tokens} cuts a text into words, numbers and written dates and leaves out code,
 * links and identifiers; {@link dev.parley.domain.memory.time.Language} says what words mean; {@link
 * dev.parley.domain.memory.time.Grammar} and {@link dev.parley.domain.memory.time.Points} read expressions, which look a
 * bounded number of words ahead, so that the time taken grows with the text and not faster; {@link
 * dev.parley.domain.memory.time.Calendar} knows what they are on the calendar of the reference.
 *
 * <p>Where an expression is open to readings: weeks begin on Monday; seasons are those of the north, of three whole months,
 * and a winter belongs to the year it begins in; a night lasts from 18:00 to 06:00; "last Monday" is the latest before today,
 * "next Monday" is in the week to come, "this Monday" in the current one; a month or a date without a year is the latest
 * that has begun, unless the sentence looks ahead; "two weeks ago" is the calendar week in which it was, and months and
 * years likewise; "the last two weeks" are the fourteen days before the reference and all until then.
 *
 * <p>No library was good enough (tried in November 2026). Natty 1.1.2 (MIT, alive, English only; prettytime-nlp 5.0.9
 * carries version 0.13 of it) gives moments and no spans: "in May" is noon of one day. Of 22 texts without a time it found
 * one in 16, for example in "he sat down", "version 3.11.2" and "I need 1 hard drive"; it read "since 2019" as 20:19 today,
 * 31 February as 3 March and none of five texts in other languages, and took 150 to 750 µs a sentence. Hawking, HeidelTime and SUTime
 * are under the GPL. Microsoft's recognizers have no released version for Java.
 */
@NullMarked
package dev.parley.domain.memory.time;

import org.jspecify.annotations.NullMarked;
