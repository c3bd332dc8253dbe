package dev.parley.language.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class TimeExpressionsTest {
    private static final Instant WEDNESDAY = Instant.parse("2025-06-18T12:00:00Z");

    @Test
    @Tag("M9")
    void resolvesADayInTheGivenZone() {
        Instant reference = Instant.parse("2025-06-18T20:30:00Z");

        assertEquals(
                span("2025-06-17T12:00:00Z", "2025-06-18T11:59:59.999Z"),
                only("I saw her yesterday", reference, "Pacific/Auckland"),
                "it is already the 19th there");
        assertEquals(
                span("2025-06-17T07:00:00Z", "2025-06-18T06:59:59.999Z"),
                only("I saw her yesterday", reference, "America/Los_Angeles"));
    }

    @Test
    @Tag("M9")
    void aDayOnWhichTheClockChangesIsShorterOrLonger() {
        Instant reference = Instant.parse("2025-03-31T10:00:00Z");

        assertEquals(
                span("2025-03-29T23:00:00Z", "2025-03-30T21:59:59.999Z"),
                only("yesterday", reference, "Europe/Berlin"),
                "23 hours");
        assertEquals(
                span("2025-10-25T22:00:00Z", "2025-10-26T22:59:59.999Z"),
                only("26 October 2025", reference, "Europe/Berlin"),
                "25 hours");
    }

    @Test
    @Tag("M9")
    void hoursAgoAreCountedOverAChangeOfTheClock() {
        Instant reference = Instant.parse("2025-03-30T01:30:00Z"); // 03:30 in Berlin, where 02:00 became 03:00

        assertEquals(
                span("2025-03-29T23:00:00Z", "2025-03-29T23:59:59.999Z"),
                only("two hours ago it rang", reference, "Europe/Berlin"));
    }

    @Test
    void everyExpressionOfATextIsFoundInItsOrder() {
        // Given
        String text =
                "In May 2023 we moved to Oslo; yesterday we came back. Since 2019 I play chess, until next week at least.";

        // When
        List<FoundTime> found = TimeExpressions.in(text, WEDNESDAY, ZoneOffset.UTC);

        // Then
        assertEquals(
                List.of("May 2023", "yesterday", "Since 2019", "until next week"),
                found.stream()
                        .map(expression -> text.substring(expression.from(), expression.to()))
                        .toList());
        assertEquals(
                List.of(FoundTime.Open.NEITHER, FoundTime.Open.NEITHER, FoundTime.Open.END, FoundTime.Open.START),
                found.stream().map(FoundTime::open).toList());
    }

    @Test
    @Tag("M31")
    void windowIsTheIntersectionOfTwoExpressions() {
        assertEquals(
                Optional.of(span("2025-05-01T00:00:00Z", "2025-05-31T23:59:59.999Z")),
                window("Of all that I said this year, what was it in May?"));
        assertEquals(
                Optional.of(span("2025-06-09T00:00:00Z", "2025-06-15T23:59:59.999Z")),
                window("What did I do since May, was it last week?"));
    }

    @Test
    @Tag("M31")
    void aQuestionAboutTwoTimesHasNoWindow() {
        assertEquals(Optional.empty(), window("What did I say yesterday about last summer?"));
        assertEquals(Optional.empty(), window("Compare March 2023 with what I did in May 2024"));
        assertEquals(Optional.empty(), window("last May in June"));
    }

    @Test
    @Tag("M31")
    void aQuestionWithoutATimeHasNoWindow() {
        assertEquals(Optional.empty(), window(""));
        assertEquals(Optional.empty(), window("What is my sister's name?"));
        assertEquals(Optional.empty(), window("\n\t ... ??? ''"));
    }

    @Test
    @Tag("M9")
    void dateWithoutAYearFollowsTheTenseOfTheSentence() {
        assertEquals("2025-06-20", day("My flight is on 20 June"));
        assertEquals("2025-06-20", day("I will fly on 20 June"));
        assertEquals("2024-06-20", day("I flew on 20 June"));
        assertEquals("2025-06-20", day("Flight to Oslo, 20 June"), "the nearest, where nothing says it");
        assertEquals(
                Optional.of(span("2024-06-20T00:00:00Z", "2024-06-20T23:59:59.999Z")),
                window("Flight to Oslo, 20 June"),
                "questions look back");
    }

    @Test
    void boundsOpenSpans() {
        assertEquals(span("2019-01-01T00:00:00Z", "2025-06-18T12:00:00Z"), only("since 2019"));
        assertEquals(span("2010-01-01T00:00:00Z", "2019-12-31T23:59:59.999Z"), only("before 2020"));
        assertEquals(span("2023-05-01T00:00:00Z", "2024-04-30T23:59:59.999Z"), only("before May 2024"));
        assertEquals(span("2025-06-18T12:00:00Z", "2025-06-29T23:59:59.999Z"), only("until next week"));
        assertEquals(span("2025-06-30T00:00:00Z", "2026-06-29T23:59:59.999Z"), only("after next week"));
    }

    @Test
    void findsNothingForAReferenceOutOfRange() {
        for (Instant reference : List.of(Instant.MIN, Instant.MAX)) {
            assertTrue(
                    TimeExpressions.in("yesterday", reference, ZoneOffset.UTC).isEmpty());
        }
        assertFalse(
                TimeExpressions.in("yesterday", Instant.EPOCH, ZoneOffset.MAX).isEmpty());
    }

    private static Optional<TimeSpan> window(String query) {
        return TimeExpressions.window(query, WEDNESDAY, ZoneOffset.UTC);
    }

    private static String day(String text) {
        return only(text).from().toString().substring(0, 10);
    }

    private static TimeSpan only(String text) {
        return only(text, WEDNESDAY, "UTC");
    }

    private static TimeSpan only(String text, Instant reference, String zone) {
        List<FoundTime> found = TimeExpressions.in(text, reference, ZoneId.of(zone));
        assertEquals(1, found.size(), text + ": " + found);
        return found.getFirst().span();
    }

    private static TimeSpan span(String from, String to) {
        return new TimeSpan(Instant.parse(from), Instant.parse(to));
    }
}
