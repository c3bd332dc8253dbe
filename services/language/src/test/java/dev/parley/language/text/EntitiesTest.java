package dev.parley.language.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.language.text.Entities.Candidate;
import dev.parley.language.text.Entities.Name;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Resolution of names to known entities. */
class EntitiesTest {
    private static final Instant NOW = Instant.parse("2030-06-15T12:00:00Z");

    private record Person(UUID id, Name name, Set<String> company, Instant lastSeen, int mentions)
            implements Candidate {
        @Override
        public boolean wasBeside(String key) {
            return company.contains(key);
        }
    }

    private static UUID id(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(UTF_8));
    }

    private static Candidate known(String name, Duration age, String... company) {
        return new Person(
                id(name),
                Name.of(name),
                Arrays.stream(company).map(other -> Name.of(other).key()).collect(Collectors.toSet()),
                NOW.minus(age),
                1);
    }

    private static List<Candidate> known(String names) {
        return Arrays.stream(names.split(", "))
                .map(name -> known(name, Duration.ZERO, "Bob"))
                .toList();
    }

    /** The name of the resolved entity, or {@code new}. */
    private static String resolvedName(String name, List<Candidate> candidates, String... nearby) {
        return resolve(name, candidates, nearby)
                .map(candidate -> candidate.name().text())
                .orElse("new");
    }

    private static Optional<Candidate> resolve(String name, List<Candidate> candidates, String... nearby) {
        return Entities.resolve(
                Name.of(name), candidates, Arrays.stream(nearby).map(Name::of).toList(), NOW);
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
    void resolvesFirstAndFullNames(String name, String knownNames, String expected) {
        assertEquals(expected, resolvedName(name, known(knownNames)));
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
    void resolvesSimilarNamesOfTheSameCompanyAndTime(String name, String knownNames, String expected) {
        assertEquals(expected, resolvedName(name, known(knownNames), "Bob"));
    }

    /** As in a decision that finds the full name of an entity known by its first name. */
    @Test
    @Tag("M18")
    void entityWithTwoNamesIsMatchedByTheFullOne() {
        Candidate full = known("Alice Chen", Duration.ZERO);
        var two = new ArrayList<>(List.of(full, new Person(full.id(), Name.of("Alice"), Set.of(), full.lastSeen(), 1)));

        for (List<Candidate> either : List.of(two, two.reversed())) {
            assertEquals(Optional.of(full.id()), resolve("Alice", either).map(Candidate::id));
            assertEquals(Optional.empty(), resolve("Alice Meyer", either));
        }
    }

    @Test
    void similarNameAloneDoesNotResolve() {
        List<Candidate> longAgo = List.of(known("Kathrin", Duration.ofDays(30)));

        assertEquals("new", resolvedName("Katrin", longAgo, "Bob"));
        assertEquals("Kathrin", resolvedName("Katrin", List.of(known("Kathrin", Duration.ofDays(30), "Bob")), "Bob"));
        assertEquals("Kathrin", resolvedName("KATHRIN", longAgo));
    }

    @Test
    void companyDisambiguatesAFirstName() {
        List<Candidate> two = List.of(
                known("Alice Chen", Duration.ofDays(1), "Bob"), known("Alice Meyer", Duration.ofDays(1), "Emma"));

        assertEquals("Alice Meyer", resolvedName("Alice", two, "Emma"));
        assertEquals("Alice Chen", resolvedName("Alice", two, "Bob"));
        assertEquals("new", resolvedName("Alice", two, "Zoe"));
    }

    @Test
    void theScoreHasThreeParts() {
        Candidate alice = known("Alice", Duration.ofDays(3).plusHours(12), "Bob", "Emma");

        assertEquals(0.5 + 0.3 + 0.1, Entities.score(Name.of("alice"), alice, Set.of("bob"), NOW), 1e-9);
        assertEquals(0.5 + 0.15 + 0.1, Entities.score(Name.of("Alice"), alice, Set.of("bob", "zoe"), NOW), 1e-9);
        assertEquals(0.5 + 0.1, Entities.score(Name.of("Alice"), alice, Set.of(), NOW), 1e-9);
        assertEquals(0.5, Entities.score(Name.of("Alice"), alice, Set.of(), NOW.plus(Duration.ofDays(30))), 1e-9);
        assertEquals(0, Entities.score(Name.of("Alice in Wonderland"), alice, Set.of(), NOW), "never enough");
    }

    @ParameterizedTest(name = "{0} and {1}: {2}")
    @CsvSource({
        "alice, alice, 1.0",
        "abcd, bcde, 0.75",
        "abc, xyz, 0.0",
        "wikimedia, wikimania, 0.7777777777777778",
        "berlin, bergen, 0.6666666666666666"
    })
    void measuresTheLikenessOfTwoWords(String first, String second, double expected) {
        assertEquals(expected, Entities.likeness(first, second), 1e-9);
    }

    @Test
    void keyOfANameIgnoresBlanksAndCase() {
        assertEquals("New One", Name.of(" New \n One ").text());
        assertEquals(Name.of("new one").key(), Name.of("NEW\u00a0One").key());
    }

    /** Neither the order of the candidates nor duplicates change the result. */
    @RepeatedTest(100)
    @Tag("M18")
    void orderAndDuplicatesOfCandidatesDoNotMatter(RepetitionInfo repetition) {
        var random = new Random(repetition.getCurrentRepetition());
        String[] first = {"Alice", "Bob", "Emma", "Kathrin", "Katrin"};
        String[] second = {"", " Chen", " Meyer", " Holm", " B. Holm"};
        var candidates = new ArrayList<Candidate>();
        String nameToResolve = first[random.nextInt(5)] + second[random.nextInt(5)];
        for (int i = random.nextInt(12) + 1; i > 0; i--) {
            String name = first[random.nextInt(5)] + second[random.nextInt(5)];
            candidates.add(new Person(
                    id(name),
                    Name.of(name),
                    Set.of("zoe"),
                    NOW.minus(Duration.ofDays(random.nextInt(14))),
                    random.nextInt(3)));
        }
        String resolved = resolvedName(nameToResolve, candidates, "Zoe");

        candidates.addAll(List.copyOf(candidates));
        Collections.shuffle(candidates, random);

        assertEquals(resolved, resolvedName(nameToResolve, candidates, "Zoe"));
    }

    @Test
    void resolvesAmongManyAndLongNames() {
        var candidates = new ArrayList<Candidate>();
        for (int i = 0; i < 1_000; i++) {
            String name =
                    "Name Number" + Integer.toString(i, 2).replace('0', 'a').replace('1', 'b');
            candidates.add(known(name, Duration.ZERO));
        }
        candidates.add(known("x".repeat(1 << 20), Duration.ZERO));

        assertEquals("new", resolvedName("y".repeat(1 << 20), candidates));
    }
}
