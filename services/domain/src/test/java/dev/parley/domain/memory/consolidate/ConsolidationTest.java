package dev.parley.domain.memory.consolidate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.memory.consolidate.Change.Create;
import dev.parley.domain.memory.consolidate.Change.Keep;
import dev.parley.domain.memory.consolidate.Change.Update;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Observations that the rules derive from facts. */
class ConsolidationTest {
    private static final List<String> NAMES = List.of("Ann", "Bob", "Emma", "Oslo", "Bergen", "Rome", "Google", "SAP");

    /** A unit vector with this cosine to {@code at(1)}. */
    private static float[] at(double cosine) {
        return new float[] {(float) cosine, (float) Math.sqrt(1 - cosine * cosine)};
    }

    private static Instant day(int day) {
        return Instant.parse("2030-01-01T00:00:00Z").plusSeconds(86_400L * day);
    }

    private static List<String> named(String text) {
        return NAMES.stream().filter(text::contains).toList();
    }

    private static FactSource fact(int day, String text) {
        return new FactSource("f" + day, text, named(text), day(day), false, at(1));
    }

    private static Observation observation(int day, String text, String... sources) {
        return new Observation("o" + day, text, named(text), List.of(sources), day(day), at(1));
    }

    private static Change only(List<Change> changes) {
        assertEquals(1, changes.size(), changes.toString());
        return changes.getFirst();
    }

    @Test
    @Tag("M13")
    void threeFactsThatSayTheSameAreOneObservationWithThreeSources() {
        // Given
        List<FactSource> facts = List.of(
                fact(1, "Ann: I play chess."),
                fact(2, "Ann: I play chess with friends in a club."),
                fact(3, "Ann: I'm playing chess."));

        // When
        var create = assertInstanceOf(Create.class, only(Consolidation.byRules(facts, List.of())));

        // Then
        assertEquals("Ann: I play chess with friends in a club.", create.text());
        assertEquals(List.of("f1", "f2", "f3"), create.sources());
        assertEquals(List.of(), create.outdated());
        assertEquals(day(3), create.since());
    }

    @Test
    @Tag("M13")
    void anotherFactIsMoreProofOfAnObservation() {
        // When
        var update = assertInstanceOf(
                Update.class,
                only(Consolidation.byRules(
                        List.of(fact(5, "Ann: I play chess.")),
                        List.of(observation(2, "Ann: I play chess.", "f1", "f2")))));

        // Then
        assertEquals(List.of("f1", "f2", "f5"), update.sources());
        assertEquals("o2", update.id());
        assertFalse(update.contradicts());
        assertEquals(List.of(), update.outdated());
        assertEquals(day(5), update.since());
    }

    @Test
    @Tag("M13")
    void skipsFactsThatAnObservationAlreadyHas() {
        assertEquals(
                List.of(),
                Consolidation.byRules(
                        List.of(fact(1, "Ann: I play chess.")),
                        List.of(observation(2, "Ann: I play chess.", "f1", "f2"))));
    }

    @ParameterizedTest(name = "{0} | {1}")
    @Tag("M13")
    @CsvSource(delimiter = '|', textBlock = """
            Ann: I live in Oslo.               | Ann: I moved to Bergen.
            Ann: I live in Oslo.               | Ann: Last week we relocated to Bergen because of work.
            Bob works at Google.               | Bob joined SAP.
            Ann: I work as a nurse.            | Ann: I work as a teacher now.
            Ann: I'm single.                   | Ann: I got married.
            Ann: I'm vegetarian.               | Ann: I became vegan.
            Ann: My budget is 500 euros.       | Ann: My budget is 700 euros.
            Ann: My deadline is 15 April.      | Ann: My deadline has been moved to 1 May.
            Ann: My favourite colour is blue.  | Ann: My favourite colour is green.
            Ann's favourite colour is blue.    | Ann: My favourite colour is green.
            Ann: I'm 34 years old.             | Ann: I turned 35.
            Ann: I prefer tea over coffee.     | Ann: I prefer coffee over tea.
            Ann: I love sushi.                 | Ann: I don't like sushi anymore.
            Ann: I like sushi.                 | Ann: I hate sushi.
            Ann: I have a car.                 | Ann: I don't have a car anymore.
            The flat in Oslo has 3 rooms.      | The flat in Oslo has 4 rooms.
            Ann: My sister Emma lives in Rome. | Ann: My sister Emma moved to Oslo.
            user: Ich wohne in Oslo.           | user: Ich wohne jetzt in Bergen.
            """)
    void newerContradictingFactReplacesTheOlderOne(String old, String young) {
        // When
        var create = assertInstanceOf(
                Create.class, only(Consolidation.byRules(List.of(fact(2, young), fact(1, old)), List.of())));
        var update = assertInstanceOf(
                Update.class,
                only(Consolidation.byRules(List.of(fact(2, young)), List.of(observation(1, old, "f0", "f1")))));

        // Then
        assertEquals(new Create(young, List.of("f2"), List.of("f1"), day(2)), create);
        assertEquals(
                new Update(
                        "o1", young, List.of("f2"), List.of("f0", "f1"), "a newer fact contradicts it", true, day(2)),
                update);
    }

    @Test
    @Tag("M13")
    void lateOlderFactKeepsTheTextOfTheObservation() {
        var update = assertInstanceOf(
                Update.class,
                only(Consolidation.byRules(
                        List.of(fact(1, "Ann: I live in Oslo.")),
                        List.of(observation(5, "Ann: I live in Bergen.", "f5")))));

        assertEquals("Ann: I live in Bergen.", update.text());
        assertEquals(List.of("f5"), update.sources());
        assertEquals(List.of("f1"), update.outdated());
        assertFalse(update.contradicts());
    }

    @ParameterizedTest(name = "{0} | {1}")
    @CsvSource(delimiter = '|', textBlock = """
            Ann: I live in Oslo.               | Ann: I work in Oslo.
            Ann: I live in Oslo.               | Ann: My sister lives in Bergen.
            Ann: I live in Oslo.               | Bob lives in Bergen.
            Ann: I live in Bergen.             | Ann: I used to live in Oslo as a child.
            Ann: I work at Google.             | Ann: My brother works at SAP.
            Ann: I bought a red car.           | Ann: I sold a red car.
            Ann: I like sushi.                 | Ann: I like pizza.
            Ann: My hobby is chess.            | Ann: My hobby is tennis.
            Ann: My dog is called Rex.         | Ann: My dog is called Bello.
            Bob likes 3 films.                 | Emma likes 4 films.
            Ann: I have a car.                 | Ann: I have no time for Bob.
            Ann: The meeting with Bob starts at 9:00. | Ann: The lunch with Emma starts at 12:30.
            """)
    void keepsFactsThatNeitherAgreeNorContradict(String first, String second) {
        assertEquals(
                List.of(new Keep("f1"), new Keep("f2")),
                Consolidation.byRules(List.of(fact(1, first), fact(2, second)), List.of()));
    }

    @Test
    @Tag("M12")
    void evidenceChangesHowSureAnOpinionIs() {
        // Given
        var opinion = new Opinion(fact(2, "helper: I think Kotlin is better than Java."), 0.7);
        FactSource supporting = fact(3, "Bob says Kotlin is much better than Java.");
        FactSource contrary = fact(4, "Emma: I find Java is better than Kotlin.");

        // Then
        assertEquals(0.76, opinion.after(List.of(supporting)).confidence(), 1e-9);
        assertEquals(0.35, opinion.after(List.of(contrary)).confidence(), 1e-9);
        assertEquals(0.38, opinion.after(List.of(contrary, supporting)).confidence(), 1e-9);
        assertEquals(
                opinion, opinion.after(List.of(fact(1, contrary.text()), fact(5, "Bob plays chess."), opinion.said())));
        assertThrows(IllegalArgumentException.class, () -> new Opinion(supporting, 1.1));
        assertThrows(IllegalArgumentException.class, () -> new Opinion(supporting, Double.NaN));
    }

    @Test
    void eventsDoNotContradictEachOther() {
        var monday = new FactSource("a", "Ann: I ran 5 km in Oslo.", List.of("Ann", "Oslo"), day(1), true, at(1));
        var tuesday = new FactSource("b", "Ann: I ran 7 km in Oslo.", List.of("Ann", "Oslo"), day(2), true, at(1));

        assertEquals(List.of(new Keep("a"), new Keep("b")), Consolidation.byRules(List.of(monday, tuesday), List.of()));
    }

    @Test
    void joinsFactsFromTheDocumentedCosine() {
        FactSource first = fact(1, "Ann: I play chess.");
        for (double cosine : new double[] {Consolidation.SAME_COSINE - 0.01, Consolidation.SAME_COSINE + 0.01}) {
            var second = new FactSource("f2", "Ann: I am a chess player.", List.of("Ann"), day(2), false, at(cosine));

            assertEquals(
                    cosine > Consolidation.SAME_COSINE ? 1 : 2,
                    Consolidation.byRules(List.of(first, second), List.of()).size());
        }
        var similar =
                new FactSource("f2", "Ann: I'm living in Oslo now.", List.of("Ann", "Oslo"), day(2), false, at(0.75));
        assertEquals(
                1,
                Consolidation.byRules(List.of(fact(1, "Ann: I live in Oslo."), similar), List.of())
                        .size());
    }

    @Test
    void rejectsVectorsOfDifferentLengths() {
        var other = new FactSource("f2", "Ann: I play chess.", List.of("Ann"), day(2), false, new float[3]);

        assertThrows(
                IllegalArgumentException.class,
                () -> Consolidation.byRules(List.of(fact(1, "Ann: I play chess."), other), List.of()));
    }

    @Test
    void twinIsSimilarAndHasTheSameNumbersNamesAndNegation() {
        // Given
        List<Observation> observations =
                List.of(observation(1, "Bob has 3 cats.", "f1"), observation(2, "Emma plays chess.", "f2"));

        // Then
        assertEquals(
                Optional.of(observations.getFirst()),
                Consolidation.twin("Bob has got 3 cats.", List.of("Bob"), at(0.98), observations));
        assertEquals(
                Optional.empty(), Consolidation.twin("Bob has got 3 cats.", List.of("Bob"), at(0.96), observations));
        assertEquals(Optional.empty(), Consolidation.twin("Bob has 4 cats.", List.of("Bob"), at(1), observations));
        assertEquals(Optional.empty(), Consolidation.twin("Bob hasn't 3 cats.", List.of("Bob"), at(1), observations));
        assertEquals(
                Optional.empty(), Consolidation.twin("Bob has 3 cats.", List.of("Bob", "Emma"), at(1), observations));
    }

    /** The order of facts does not matter, and each fact becomes exactly one thing: source, outdated, or kept. */
    @RepeatedTest(200)
    @Tag("M13")
    void noFactIsLostAndNoneCountsTwice(RepetitionInfo repetition) {
        // Given
        var random = new Random(repetition.getCurrentRepetition());
        String[] texts = {
            "Ann: I live in Oslo.", "Ann: I moved to Bergen.", "Ann: I play chess.", "Ann: I don't play chess.",
                    "Ann: My budget is 500.",
            "Ann: My budget is 700.", "Bob works at Google.", "Bob joined SAP.", "Bob likes films.",
                    "Emma: I live in Rome."
        };
        var facts = new ArrayList<FactSource>();
        for (int i = random.nextInt(15); i > 0; i--) {
            String text = texts[random.nextInt(texts.length)];
            facts.add(new FactSource(
                    "f" + i, text, named(text), day(random.nextInt(6)), false, at(0.5 + random.nextInt(2) * 0.5)));
        }
        List<Observation> observations =
                random.nextBoolean() ? List.of() : List.of(observation(3, "Ann: I live in Oslo.", "o-source"));

        // When
        List<Change> changes = Consolidation.byRules(facts, observations);

        // Then
        var factIds = new ArrayList<String>();
        for (Change change : changes) {
            factIds.addAll(
                    switch (change) {
                        case Create create ->
                            Stream.concat(create.sources().stream(), create.outdated().stream())
                                    .toList();
                        case Update update ->
                            Stream.concat(update.sources().stream(), update.outdated().stream())
                                    .toList();
                        case Keep keep -> List.of(keep.fact());
                        case Change.Delete delete -> List.of("deleted");
                    });
        }
        factIds.remove("o-source");
        assertEquals(new HashSet<>(facts.stream().map(FactSource::id).toList()), new HashSet<>(factIds));
        assertEquals(facts.size(), factIds.size());
        Collections.shuffle(facts, random);
        assertEquals(changes, Consolidation.byRules(facts, observations));
        assertTrue(changes.size() <= facts.size() + observations.size());
    }
}
