package dev.parley.domain.memory.extract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.memory.extract.Entities.Candidate;
import dev.parley.domain.memory.extract.Entities.Kind;
import dev.parley.domain.memory.extract.Entities.Resolution;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which names mean the same person or thing. */
class EntitiesTest {
    private static final Instant NOW = Instant.parse("2030-06-15T12:00:00Z");

    private static Candidate known(String name, Duration ago, String... company) {
        return new Candidate("id of " + name, name, Set.of(company), NOW.minus(ago), 1);
    }

    private static List<Candidate> known(String names) {
        return Arrays.stream(names.split(", "))
                .map(name -> known(name, Duration.ZERO, "Bob"))
                .toList();
    }

    /** The name that it goes by of whom is meant, or {@code new}. */
    private static String meant(String name, List<Candidate> candidates, String... nearby) {
        return switch (Entities.resolve(name, Kind.NAME, candidates, List.of(nearby), NOW)) {
            case Resolution.Known known -> known.candidate().name();
            case Resolution.Unknown unknown -> "new";
        };
    }

    @ParameterizedTest(name = "{0} among {1} is {2}")
    @Tag("M18")
    @CsvSource(delimiter = '|', textBlock = """
            Alice          | Alice Chen              | Alice Chen
            Alice Chen     | Alice                   | Alice
            alice  chen    | Alice Chen              | Alice Chen
            Alice          | Alice, Alice Chen       | Alice
            Alice          | Alice Chen, Alice Meyer | new
            Alice Meyer    | Alice Chen              | new
            Alice Meyer    | Alice, Alice Chen       | new
            Oslo           | Oslo University         | new
            Apple Watch    | Apple                   | new
            York           | New York                | new
            Chen           | Alice Chen              | new
            Ludwig         | Ludwig van Beethoven    | Ludwig van Beethoven
            Kafka          | Kafka 4.3               | new
            """)
    void aFirstNameAndAFullOne(String name, String known, String expected) {
        assertEquals(expected, meant(name, known(known)));
    }

    @ParameterizedTest(name = "{0} among {1} beside Bob is {2}")
    @Tag("M18")
    @CsvSource(delimiter = '|', textBlock = """
            Alice Chenn    | Alice Chen         | Alice Chen
            Katrin         | Kathrin            | Kathrin
            A. Chen        | Alice Chen         | Alice Chen
            Bergen         | Berlin             | new
            Anna           | Hanna              | new
            Maria          | Marie              | new
            Rob            | Bob                | new
            Kafka 4.3      | Kafka 4.2          | new
            Room 12        | Room 21            | new
            Alice Meyer    | Alice Chen         | new
            Chen           | Alice Chen         | Alice Chen
            """)
    void theSameCompanyAndTimeMakeThoseOneThatLookAlike(String name, String known, String expected) {
        assertEquals(expected, meant(name, known(known), "Bob"));
    }

    @Test
    void looksAloneAreNotEnough() {
        List<Candidate> long_ago = List.of(known("Kathrin", Duration.ofDays(30)));

        assertEquals("new", meant("Katrin", long_ago, "Bob"));
        assertEquals("Kathrin", meant("Katrin", List.of(known("Kathrin", Duration.ofDays(30), "Bob")), "Bob"));
        assertEquals("Kathrin", meant("KATHRIN", long_ago));
    }

    @Test
    void companySaysWhichOfTwo() {
        List<Candidate> two = List.of(
                known("Alice Chen", Duration.ofDays(1), "Bob"), known("Alice Meyer", Duration.ofDays(1), "Emma"));

        assertEquals("Alice Meyer", meant("Alice", two, "Emma"));
        assertEquals("Alice Chen", meant("Alice", two, "Bob"));
        assertEquals("new", meant("Alice", two, "Zoe"));
    }

    @Test
    void theScoreHasThreeParts() {
        Candidate alice = known("Alice", Duration.ofDays(3).plusHours(12), "Bob", "Emma");

        assertEquals(0.5 + 0.3 + 0.1, Entities.score("alice", alice, Set.of("bob"), NOW), 1e-9);
        assertEquals(0.5 + 0.15 + 0.1, Entities.score("Alice", alice, Set.of("bob", "zoe"), NOW), 1e-9);
        assertEquals(0.5 + 0.1, Entities.score("Alice", alice, Set.of(), NOW), 1e-9);
        assertEquals(0.5, Entities.score("Alice", alice, Set.of(), NOW.plus(Duration.ofDays(30))), 1e-9);
    }

    @ParameterizedTest(name = "{0} and {1}: {2}")
    @CsvSource({
        "alice, alice, 1.0",
        "abcd, bcde, 0.75",
        "abc, xyz, 0.0",
        "wikimedia, wikimania, 0.7777777777777778",
        "berlin, bergen, 0.6666666666666666"
    })
    void howAlikeTwoWordsLook(String one, String other, double expected) {
        assertEquals(expected, Entities.likeness(one, other), 1e-9);
    }

    @Test
    void aLabelMeansItself() {
        List<Candidate> known = known("Alice Chen, team:blue");

        assertEquals(
                new Resolution.Unknown("Alice"), Entities.resolve("Alice", Kind.LABEL, known, List.of("Bob"), NOW));
        assertEquals(
                new Resolution.Known(known.getLast()),
                Entities.resolve("Team:Blue", Kind.LABEL, known, List.of(), NOW));
        assertEquals(
                new Resolution.Unknown("New One"), Entities.resolve(" New \n One ", Kind.NAME, known, List.of(), NOW));
    }

    @Test
    @Tag("M18")
    void namesOfABatch() {
        assertEquals(
                Map.of("Alice", "Alice Chen", "Alice Chen", "Alice Chen", "alice chen", "Alice Chen", "Bob", "Bob"),
                Entities.canonical(List.of("Alice", "Alice Chen", "Alice Chen", "alice chen", "Bob")));
        assertEquals(
                Map.of("Alice", "Alice", "Alice Chen", "Alice Chen", "Alice Meyer", "Alice Meyer"),
                Entities.canonical(List.of("Alice", "Alice Chen", "Alice Meyer")));
        assertEquals(
                Map.of("Kathrin Holm", "Kathrin Holm", "Katrin Holm", "Kathrin Holm"),
                Entities.canonical(List.of("Katrin Holm", "Kathrin Holm", "Kathrin Holm")));
        assertEquals(
                Map.of("Oslo", "Oslo", "Oslo University", "Oslo University"),
                Entities.canonical(List.of("Oslo", "Oslo University")));
    }

    /** The order of those who are known, and of a batch, decides nothing; two who share a first name never become one. */
    @RepeatedTest(100)
    @Tag("M18")
    void orderDecidesNothing(RepetitionInfo repetition) {
        var random = new Random(repetition.getCurrentRepetition());
        String[] first = {"Alice", "Bob", "Emma", "Kathrin", "Katrin"};
        String[] second = {"", " Chen", " Meyer", " Holm", " B. Holm"};
        var names = new ArrayList<String>();
        var candidates = new ArrayList<Candidate>();
        for (int i = random.nextInt(12) + 1; i > 0; i--) {
            String name = first[random.nextInt(5)] + second[random.nextInt(5)];
            names.add(name);
            candidates.add(new Candidate(
                    "id" + i, name, Set.of("Zoe"), NOW.minus(Duration.ofDays(random.nextInt(14))), random.nextInt(3)));
        }
        Map<String, String> canonical = Entities.canonical(names);
        String wanted = names.getFirst();
        Resolution resolution = Entities.resolve(wanted, Kind.NAME, candidates, List.of("Zoe"), NOW);

        Collections.shuffle(names, random);
        Collections.shuffle(candidates, random);

        assertEquals(canonical, Entities.canonical(names));
        assertEquals(resolution, Entities.resolve(wanted, Kind.NAME, candidates, List.of("Zoe"), NOW));
        canonical.forEach((name, head) -> assertTrue(Entities.canBeOne(name, head), name + " is not " + head));
    }

    @Test
    void manyAndLongNamesTakeNoLongTime() {
        var names = new ArrayList<String>();
        for (int i = 0; i < 1_000; i++) {
            names.add("Name Number" + Integer.toString(i, 2).replace('0', 'a').replace('1', 'b'));
        }
        names.add("x".repeat(1 << 20));

        assertEquals(1_001, Entities.canonical(names).size());
        List<Candidate> candidates =
                names.stream().map(name -> known(name, Duration.ZERO)).toList();
        assertEquals("new", meant("y".repeat(1 << 20), candidates));
    }
}
