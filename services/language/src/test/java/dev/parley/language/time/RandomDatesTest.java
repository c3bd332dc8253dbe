package dev.parley.language.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Month;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.TextStyle;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Dates of two centuries, in zones with and without summer time, as the JDK writes them. */
class RandomDatesTest {
    private static final List<ZoneId> ZONES = List.of(
            ZoneId.of("UTC"), ZoneId.of("Europe/Paris"), ZoneId.of("America/New_York"), ZoneId.of("Asia/Kolkata"));
    private static final Map<String, List<String>> FORMATS = Map.of(
            "en",
                    List.of(
                            "MMMM d, yyyy",
                            "d MMMM yyyy",
                            "MMM d, yyyy",
                            "EEEE, MMMM d, yyyy",
                            "yyyy-MM-dd",
                            "EEEE d MMMM yyyy"),
            "de", List.of("d. MMMM yyyy", "dd.MM.yyyy", "EEEE, 'den' d. MMMM yyyy", "EEEE, d. MMMM yyyy"),
            "fr", List.of("d MMMM yyyy", "dd/MM/yyyy", "EEEE d MMMM yyyy"),
            "es", List.of("d 'de' MMMM 'de' yyyy", "dd/MM/yyyy", "EEEE, d 'de' MMMM 'de' yyyy"),
            "it", List.of("d MMMM yyyy", "dd/MM/yyyy", "EEEE d MMMM yyyy"));
    private static final Map<String, String> SENTENCES = Map.of(
            "en", "we met her on %s in the park",
            "de", "wir haben sie am %s im Park getroffen",
            "fr", "nous avons vu la dame le %s dans le parc",
            "es", "nos vimos con ella el %s en el parque",
            "it", "abbiamo visto lei il %s nel parco");

    @Test
    @Tag("M9")
    void aDateIsReadAsTheJdkWritesItInEveryLanguage() {
        forEachMoment(20260101, moment -> {
            LocalDate date = moment.date(200 * 365);
            for (var language : FORMATS.entrySet()) {
                for (String format : language.getValue()) {
                    String formatted = DateTimeFormatter.ofPattern(format, Locale.of(language.getKey()))
                            .format(date);
                    moment.assertReads(SENTENCES.get(language.getKey()).formatted(formatted), date, date.plusDays(1));
                }
            }
        });
    }

    @Test
    @Tag("M9")
    void aMonthOfAYearIsReadAsTheJdkWritesItInEveryLanguage() {
        forEachMoment(20260102, moment -> {
            YearMonth month = YearMonth.from(moment.date(200 * 365));
            for (String language : FORMATS.keySet()) {
                String name = month.getMonth().getDisplayName(TextStyle.FULL, Locale.of(language));
                String separator = language.equals("es") ? " de " : " ";
                moment.assertReads(
                        SENTENCES.get(language).formatted(name + separator + month.getYear()),
                        month.atDay(1),
                        month.plusMonths(1).atDay(1));
            }
        });
    }

    @Test
    @Tag("M9")
    void relativeDatesAgreeWithTheCalendar() {
        forEachMoment(20260103, moment -> {
            int count = moment.random.nextInt(2, 40);
            LocalDate today = moment.today;
            LocalDate monday = today.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
            moment.assertReads("it broke " + count + " days ago", today.minusDays(count), today.minusDays(count - 1));
            moment.assertReads(
                    "it broke " + count + " weeks ago", monday.minusWeeks(count), monday.minusWeeks(count - 1));
            YearMonth month = YearMonth.from(today);
            moment.assertReads(
                    "it broke " + count + " months ago",
                    month.minusMonths(count).atDay(1),
                    month.minusMonths(count - 1).atDay(1));
            moment.assertReads("it broke last month", month.minusMonths(1).atDay(1), month.atDay(1));
            moment.assertReads("it broke last week", monday.minusWeeks(1), monday);
            moment.assertReads("it broke last weekend", monday.minusDays(2), monday);
        });
    }

    @Test
    @Tag("M31")
    void questionWithoutAYearMeansTheLatestDate() {
        forEachMoment(20260104, moment -> {
            DayOfWeek weekday = DayOfWeek.of(moment.random.nextInt(1, 8));
            String name = weekday.getDisplayName(TextStyle.FULL, Locale.ENGLISH);
            LocalDate day = moment.startOfWindow("Where was I on " + name + "?");
            assertEquals(weekday, day.getDayOfWeek());
            long back = ChronoUnit.DAYS.between(day, moment.today);
            assertTrue(back >= 1 && back <= 7, name + " is " + back + " days back");

            Month month = Month.of(moment.random.nextInt(1, 13));
            LocalDate first = moment.startOfWindow(
                    "Where was I in " + month.getDisplayName(TextStyle.FULL, Locale.ENGLISH) + "?");
            assertEquals(month, first.getMonth());
            assertTrue(
                    !first.isAfter(moment.today) && first.isAfter(moment.today.minusYears(1)),
                    first + " at " + moment.today);

            LocalDate date = moment.date(365);
            LocalDate found = moment.startOfWindow("Where was I on "
                    + DateTimeFormatter.ofPattern("d MMMM", Locale.ENGLISH).format(date) + "?");
            assertEquals(date.getDayOfMonth(), found.getDayOfMonth());
            assertEquals(date.getMonth(), found.getMonth());
            int years = date.getMonth() == Month.FEBRUARY && date.getDayOfMonth() == 29 ? 8 : 1;
            assertTrue(
                    !found.isAfter(moment.today) && found.isAfter(moment.today.minusYears(years)),
                    found + " at " + moment.today);
        });
    }

    private static void forEachMoment(long seed, Consumer<Moment> check) {
        var random = new Random(seed);
        for (int i = 0; i < 400; i++) {
            LocalDate today = LocalDate.of(2000, 1, 1).plusDays(random.nextInt(40 * 365));
            ZoneId zone = ZONES.get(random.nextInt(ZONES.size()));
            Instant reference = today.atTime(LocalTime.ofSecondOfDay(random.nextInt(86_400)))
                    .atZone(zone)
                    .toInstant();
            check.accept(new Moment(random, reference.atZone(zone).toLocalDate(), reference, zone));
        }
    }

    /** A moment from which texts are read. */
    private record Moment(Random random, LocalDate today, Instant reference, ZoneId zone) {
        LocalDate date(int daysBack) {
            return today.minusDays(random.nextInt(daysBack));
        }

        void assertReads(String text, LocalDate from, LocalDate to) {
            List<FoundTime> found = TimeExpressions.in(text, reference, zone);
            var span = new TimeSpan(
                    from.atStartOfDay(zone).toInstant(),
                    to.atStartOfDay(zone).toInstant().minusMillis(1));
            assertEquals(
                    List.of(span),
                    found.stream().map(FoundTime::span).toList(),
                    text + " at " + reference + " " + zone);
        }

        LocalDate startOfWindow(String question) {
            return TimeExpressions.window(question, reference, zone)
                    .orElseThrow(() -> new AssertionError(question + " at " + reference))
                    .from()
                    .atZone(zone)
                    .toLocalDate();
        }
    }
}
